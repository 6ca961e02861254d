"""Every diagnostic of this room: its code and its title.

``PM0xx`` is about the text, ``PM02x`` about the shape of a value, ``PM04x`` about values that contradict each
other, ``PM08x`` about power profiles, ``PM09x`` about memory, ``PM11x`` about the island; ``PM06x`` are
notes. Codes are never reused for another meaning.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    # the text
    "PM001": "the file cannot be read",
    "PM002": "the file is not UTF-8",
    "PM003": "the file is too large",
    "PM004": "a character that YAML does not allow",
    "PM005": "a tab as indentation",
    "PM006": "not YAML",
    "PM007": "nested too deeply",
    "PM008": "too many values",
    "PM009": "an anchor or an alias",
    "PM010": "a tag",
    "PM011": "more than one document",
    "PM012": "a key given twice",
    "PM013": "a key that is not plain text",
    "PM014": "a number that cannot be held exactly",
    "PM015": "nothing declared",
    "PM016": "too many problems",
    # the shape of a value
    "PM020": "an unknown key",
    "PM021": "a missing key",
    "PM022": "a value of the wrong type",
    "PM023": "none of the known choices",
    "PM024": "a number outside its range",
    "PM025": "not a name",
    "PM026": "not a path inside the bundle",
    "PM027": "not an endpoint",
    "PM028": "not a rate",
    "PM029": "a list of the wrong length",
    # values that contradict each other
    "PM040": "a module id used twice",
    "PM041": "a reserved module id",
    "PM042": "a link to an unknown module",
    "PM043": "an observation that is not declared",
    "PM044": "a link to a robot that is not declared",
    "PM045": "a port that does not exist on this end of a link",
    "PM046": "two links into one port",
    "PM047": "a stale policy without an age",
    "PM048": "an unknown device",
    "PM049": "costs that do not fit the stages",
    "PM050": "an observation faster than the control rate",
    "PM051": "links in a circle",
    "PM052": "a core given twice",
    "PM053": "more steps at least than at most",
    "PM054": "a Jacobian without guidance",
    "PM055": "one buffer for chunks that overlap",
    "PM056": "an artefact named twice",
    "PM075": "thread priorities that contradict each other",
    "PM076": "a budget longer than its period",
    "PM090": "not a size",
    "PM091": "a group with an unknown module",
    "PM092": "a module in two groups",
    "PM093": "groups that are promised more than there is",
    # power profiles
    "PM080": "an unknown power profile",
    "PM081": "a power profile that changes what is not there",
    "PM082": "a power profile that drops what drives the robot",
    "PM083": "a rate given twice in a power profile",
    "PM084": "a limit of steps that the module does not take",
    "PM085": "levels of a power source that cannot be told apart",
    "PM086": "a power source without levels",
    "PM087": "more contexts than there are",
    "PM088": "a power profile in which nothing runs",
    "PM089": "not a file outside the bundle",
    # the island
    "PM110": "an island without a robot",
    "PM111": "a ladder that does not rise",
    "PM112": "a joint without room",
    "PM113": "an island slower than the control rate",
    "PM114": "targets that are old before the next can come",
    # notes
    "PM060": "a mode that does not run yet",
    "PM061": "a priority that nothing uses",
    "PM062": "an observation that nothing uses",
    "PM063": "a deadline beyond the period",
    "PM064": "a module faster than the control rate",
    "PM065": "a class without a priority",
    "PM066": "real-time chunking in a mode without it",
}
