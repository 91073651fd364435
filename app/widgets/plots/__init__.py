"""The charts on screen; pyqtgraph stays behind the words of `canvas`.

Import them when a chart is first shown: they bring pyqtgraph with them.
"""
