"""Every pattern of the model can be said in words."""

import json
import re

from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.config.pattern_descriptions import pattern_descriptions


def test_every_pattern_of_the_model_has_its_words_and_no_words_are_left_over():
    assert set(re.findall(r'"pattern": ("[^\n]*")', editor_schema())) == {json.dumps(p) for p in pattern_descriptions()}
