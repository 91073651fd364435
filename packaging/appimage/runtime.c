/* What an AppImage starts with: it mounts the file system that follows it in the same file, runs
 * AppRun from there, and unmounts when that ends. Where FUSE isn't to be had it unpacks into a
 * folder of its own, which it removes again.
 *
 * https://github.com/AppImage/AppImageSpec, type 2. Linked with Debian's libsquashfuse (BSD) and
 * libfuse3 (LGPL-2.1): whoever changes those builds it anew with packaging/package.py.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 32
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_AT_ONCE = 1 << 17, CANNOT_START = 127 };

/* Kinds of packing that we don't make: squashfuse asks for them by name. */
int lzo1x_decompress_safe(void) { return -1; }
int LZ4_decompress_safe(void) { return -1; }

static const char *const USAGE =
    "  --appimage-extract          unpack into the folder squashfs-root\n"
    "  --appimage-extract-and-run  run without FUSE (or set APPIMAGE_EXTRACT_AND_RUN=1)\n"
    "  --appimage-offset           say where the file system begins in this file\n";

static void fail(const char *what) {
    fprintf(stderr, "headroom: %s: %s\n", what, strerror(errno));
    exit(CANNOT_START);
}

/* Where the program ends and the file system begins: after the table of sections. */
static size_t end_of_program(const char *path) {
    Elf64_Ehdr head;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &head, sizeof head) != (ssize_t)sizeof head) fail(path);
    close(file);
    return head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
}

/* ------------------------------------------------------------------------ unpacking */

static int write_file(sqfs *fs, sqfs_inode *inode, const char *path) {
    static char buffer[READ_AT_ONCE];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, inode->base.mode & 0777);
    if (file < 0) return -1;
    sqfs_off_t at = 0, size = (sqfs_off_t)inode->xtra.reg.file_size, got = 0;
    for (; at < size; at += got) {
        got = sizeof buffer;
        if (sqfs_read_range(fs, inode, at, &got, buffer) || got <= 0) break;
        if (write(file, buffer, (size_t)got) != (ssize_t)got) break;
    }
    return close(file) || at < size ? -1 : 0;
}

static int write_entry(sqfs *fs, sqfs_dir_entry *entry, const char *path) {
    sqfs_inode inode;
    char target[PATH_MAX];
    size_t room = sizeof target;
    if (sqfs_inode_get(fs, &inode, sqfs_dentry_inode(entry))) return -1;
    if (S_ISDIR(inode.base.mode)) return mkdir(path, 0755);
    if (S_ISREG(inode.base.mode)) return write_file(fs, &inode, path);
    if (!S_ISLNK(inode.base.mode) || sqfs_readlink(fs, &inode, target, &room)) return -1;
    return symlink(target, path);
}

static int unpack(sqfs *fs, const char *folder) {
    sqfs_traverse walk;
    sqfs_err problem = sqfs_traverse_open(&walk, fs, sqfs_inode_root(fs));
    if (problem) return -1;
    int failed = 0;
    while (!failed && sqfs_traverse_next(&walk, &problem)) {
        char path[PATH_MAX];
        if (walk.dir_end) continue;
        failed = snprintf(path, sizeof path, "%s/%s", folder, walk.path) >= (int)sizeof path ||
                 write_entry(fs, &walk.entry, path);
        if (failed) fprintf(stderr, "headroom: %s: %s\n", path, strerror(errno));
    }
    sqfs_traverse_close(&walk);
    return failed || problem ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at) {
    (void)s, (void)kind, (void)at;
    return remove(path);
}

/* ------------------------------------------------------------------------ running */

static sigset_t watched(void) {
    static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
    return set;
}

static pid_t start(const char *folder, char **arguments, const sigset_t *before) {
    char program[PATH_MAX + sizeof "/AppRun"];
    snprintf(program, sizeof program, "%s/AppRun", folder);
    pid_t child = fork();
    if (child) return child;
    sigprocmask(SIG_SETMASK, before, NULL);
    setenv("APPDIR", folder, 1);
    execv(program, arguments);
    fail(program);
    return -1;
}

/* Answer the kernel's questions (none without a session) until the child ends; its status.
 * What the terminal sends to all (Ctrl+C) reaches the child without us; an end asked of us alone
 * is handed on. */
static int serve(struct fuse_session *session, pid_t child, int signals) {
    struct fuse_buf buffer = {0};
    for (;;) {
        struct pollfd ready[2] = {{signals, POLLIN, 0}, {-1, POLLIN, 0}};
        if (session) ready[1].fd = fuse_session_fd(session);
        if (poll(ready, 2, -1) < 0 && errno != EINTR) return CANNOT_START;
        if (ready[1].revents) {
            int got = fuse_session_receive_buf(session, &buffer);
            if (got > 0) fuse_session_process_buf(session, &buffer);
            else if (got != -EINTR && got != -EAGAIN) session = NULL; /* unmounted by others */
        }
        struct signalfd_siginfo sent;
        if (!ready[0].revents || read(signals, &sent, sizeof sent) != sizeof sent) continue;
        if (sent.ssi_signo == SIGTERM || sent.ssi_signo == SIGHUP) kill(child, (int)sent.ssi_signo);
        int status;
        if (waitpid(child, &status, WNOHANG) != child) continue;
        free(buffer.mem);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

static int mounted(sqfs_ll_chan *channel, const char *self, size_t offset, const char *folder) {
    static struct fuse_lowlevel_ops answers = {
        .getattr = sqfs_ll_op_getattr, .opendir = sqfs_ll_op_opendir,
        .releasedir = sqfs_ll_op_releasedir, .readdir = sqfs_ll_op_readdir,
        .lookup = sqfs_ll_op_lookup, .open = sqfs_ll_op_open, .release = sqfs_ll_op_release,
        .read = sqfs_ll_op_read, .readlink = sqfs_ll_op_readlink, .forget = sqfs_ll_op_forget,
        .statfs = stfs_ll_op_statfs,
    };
    char *words[] = {"headroom", "-o", "ro,nosuid,nodev", NULL};
    struct fuse_args arguments = FUSE_ARGS_INIT(3, words);
    sqfs_ll *files = sqfs_ll_open(self, offset);
    return files && !sqfs_ll_mount(channel, folder, &arguments, &answers, sizeof answers, files);
}

int main(int count, char **arguments) {
    char self[PATH_MAX] = {0}, folder[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    const char *asked = count > 1 ? arguments[1] : "", *without = getenv("APPIMAGE_EXTRACT_AND_RUN");
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) fail("/proc/self/exe");
    size_t offset = end_of_program(self);
    if (!strcmp(asked, "--appimage-offset")) return printf("%zu\n", offset) < 0;
    if (!strcmp(asked, "--appimage-help")) return fputs(USAGE, stdout) < 0;
    int unpacked = !strcmp(asked, "--appimage-extract-and-run") || (without && *without == '1');
    sqfs fs;
    if (!strcmp(asked, "--appimage-extract")) {
        if (sqfs_open_image(&fs, self, offset)) return CANNOT_START;
        if (mkdir("squashfs-root", 0755)) fail("squashfs-root");
        return unpack(&fs, "squashfs-root") ? 1 : 0;
    }
    if (!strncmp(asked, "--appimage-extract-and-run", 27)) *++arguments = self;
    setenv("APPIMAGE", self, 1);
    setenv("ARGV0", arguments[0], 1);
    snprintf(folder, sizeof folder, "%s/.mount_headroXXXXXX", temporary ? temporary : P_tmpdir);
    if (!mkdtemp(folder)) fail(folder);
    sqfs_ll_chan channel = {0};
    if (!unpacked && (access("/dev/fuse", R_OK | W_OK) || !mounted(&channel, self, offset, folder)))
        unpacked = 1;
    int status = CANNOT_START;
    sigset_t set = watched(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    int signals = signalfd(-1, &set, SFD_CLOEXEC);
    if (!unpacked || (!sqfs_open_image(&fs, self, offset) && !unpack(&fs, folder)))
        status = serve(unpacked ? NULL : channel.session, start(folder, arguments, &before), signals);
    if (unpacked) nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    else sqfs_ll_unmount(&channel, folder), rmdir(folder);
    return status;
}
