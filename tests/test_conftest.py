"""The net under all tests catches what it is for: each leak is made on purpose and is seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HERE = Path(__file__).resolve().parent

SETTINGS = """
[pytest]
filterwarnings = error
qt_api = pyside6
qt_log_level_fail = WARNING
markers =
    xvfb: real X
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """An empty project that has our conftest.py."""
    shutil.copy(HERE / "conftest.py", pytester.path / "conftest.py")
    settings = f"{SETTINGS}pythonpath = {HERE.parent}\n"
    (pytester.path / "pytest.ini").write_text(settings, encoding="utf-8")
    return pytester


def outcome(project: pytest.Pytester, code: str) -> tuple[dict[str, int], str]:
    """Run `code` as a test file in a process of its own: outcomes and output."""
    project.makepyfile(code)
    result = project.runpytest_subprocess("-p", "no:cacheprovider")
    return result.parseoutcomes(), result.stdout.str()


def test_innocent_tests_pass(project: pytest.Pytester) -> None:
    outcomes, text = outcome(
        project,
        """
        import threading
        from PySide6.QtCore import QRunnable, QThreadPool, QTimer
        from PySide6.QtWidgets import QWidget

        def test_widget_of_qtbot(qtbot):
            widget = QWidget()
            qtbot.addWidget(widget)
            widget.timer = QTimer(widget)
            widget.timer.start(10_000)
            widget.show()

        def test_widget_that_goes_out_of_scope(qapp):
            QWidget().show()

        def test_thread_that_ends():
            threading.Thread(target=lambda: None).start()

        def test_job_that_ends(qtbot):
            class Job(QRunnable):
                def run(self):
                    done.append(1)
            done = []
            QThreadPool.globalInstance().start(Job())
            qtbot.waitUntil(lambda: done == [1])
        """,
    )
    assert outcomes == {"passed": 4}, text


LEAKS = {
    "shown": ("kept.append(QWidget()); kept[-1].show()", "open <PySide6.QtWidgets.QWidget"),
    "widget": ("kept.append(QWidget())", "open <PySide6.QtWidgets.QWidget"),
    "timer": ("kept.append(QTimer()); kept[-1].start(10_000)", "running <PySide6.QtCore.QTimer"),
    "thread": (
        "threading.Thread(target=never.wait, daemon=True).start()",
        "living <Thread",
    ),
    "job": ("QThreadPool.globalInstance().start(never.wait)", "running job in"),
}
LEAKING_TEST = """
def test_leaks_{name}(qapp):
    {body}

def test_next_to_{name}_is_not_blamed(qapp):
    pass
"""


def test_leak_is_an_error(project: pytest.Pytester) -> None:
    text = (project.path / "conftest.py").read_text(encoding="utf-8")
    quick = text.replace("GRACE_S = 180.0", "GRACE_S = 0.1")
    assert quick != text
    (project.path / "conftest.py").write_text(quick, encoding="utf-8")
    head = (
        "import threading\n"
        "from PySide6.QtCore import QThreadPool, QTimer\n"
        "from PySide6.QtWidgets import QWidget\n"
        "kept = []\n"
        "never = threading.Event()\n"
    )
    tests = [LEAKING_TEST.format(name=name, body=body) for name, (body, _) in LEAKS.items()]
    outcomes, output = outcome(
        project, "".join((head, *tests, "def test_end():\n    never.set()\n"))
    )
    assert outcomes == {"passed": 2 * len(LEAKS) + 1, "errors": len(LEAKS)}, output
    for name, (_, words) in LEAKS.items():
        assert f"test_leaks_{name} left behind: {words}" in output


def test_warnings_and_slots_that_raise_fail(project: pytest.Pytester) -> None:
    outcomes, output = outcome(
        project,
        """
        from PySide6.QtCore import QTimer, qWarning

        def test_python_warns(qapp, qtbot):
            import warnings; warnings.warn('careless')

        def test_qt_warns(qapp, qtbot):
            qWarning('careless')

        def test_a_slot_raises(qapp, qtbot):
            QTimer.singleShot(0, lambda: 1 / 0); qapp.processEvents()
        """,
    )
    assert outcomes == {"failed": 3}, output


def test_xvfb_mark_gives_a_real_x_server(project: pytest.Pytester) -> None:
    outcomes, output = outcome(
        project,
        """
        import os
        import pytest

        def test_usual(qapp):
            assert qapp.platformName() == os.environ["QT_QPA_PLATFORM"] == "offscreen"

        @pytest.mark.xvfb
        @pytest.mark.parametrize("name", ["xcb", "wrong"])
        def test_real(qapp, name):
            assert qapp.platformName() == name
        """,
    )
    assert outcomes == {"passed": 2, "failed": 1}, output
    assert "test_real[wrong]" in output
