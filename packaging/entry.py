"""Where the frozen program starts: the same as `python -m app`."""

import runpy

runpy.run_module("app", run_name="__main__", alter_sys=False)
