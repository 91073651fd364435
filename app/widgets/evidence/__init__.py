"""The *Evidence* page: how right the model is, point by point, and every figure it rests on."""

from app.widgets.evidence.page import EvidencePage
from app.widgets.evidence.run import AccuracyRun, Held

__all__ = ["AccuracyRun", "EvidencePage", "Held"]
