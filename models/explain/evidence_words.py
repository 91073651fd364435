"""Words of the evidence and of the constants in a formula, so that they can be said otherwise.

They come from the tables of evidence and the calibration file, which hold them in English.
"""

from __future__ import annotations

from models.texts import Text, say

_KNOWN: dict[str, Text] = {
    str(text): text
    for text in (
        say("as printed"),
        say("as printed, per user of 4,000"),
        say("mean of the two VMs"),
        say("ratio of the two figures"),
        say("1 + printed increase"),
        say('1 - printed decrease; the source says "up to"'),
        say("IOPS fall as RAM^(-exponent): -ln(IOPS at 16 GB / IOPS at 8 GB) / ln 2"),
        say("2 VMs on 2 hosts, 4,000 active users a server; not said whether per server"),
        say(
            "8 points for 500 users of a partner, over the 25 % that 500 users take alone; the "
            "standby that took 8 % was another machine (2 Pentium II of 300 MHz, not 2 Pentium "
            "Pro of 200)"
        ),
        say(
            "35 points for 500 users of a partner, over the 61 % that 500 users take alone (74 % "
            "in the cluster over 1.21); the standby that took 35 % had other disks"
        ),
        say(
            "90 minutes over the 69 actions of the R6Mail workload; WV21 names no rate, R6Mail is "
            "the published NRPC workload nearest to it"
        ),
        say("% of a core"),
        say("IO/s"),
        say("packets/s"),
        say("measured"),
        say("config"),
        say("claim"),
        say("rule"),
        say("recommendation"),
        say("restatement"),
        say("example"),
        say("caveat"),
        say("verbatim"),
        say("inferred"),
        say("not found"),
        say("doubted"),
        say("blank"),
        say("NetApp FAS3020 (VMFS/RDM/NFS not stated)"),
    )
}


def known(words: str) -> str:
    """The words as a text; as they are where the catalogue of texts does not have them."""
    return _KNOWN.get(words, words)
