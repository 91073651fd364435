"""Where the frozen program starts: the same as `python -m app`.

What reads files of other people starts the program once more, as a process of its own.
"""

import runpy
import sys

if sys.argv[1:2] == ["--aside"]:
    from db.aside import main

    sys.exit(main(sys.argv[2:]))
runpy.run_module("app", run_name="__main__", alter_sys=False)
