"""From numbers to verdicts: limits, failure modes, findings, the sentence."""
