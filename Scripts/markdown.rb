# The form of pages, for mdl: its rules are in https://github.com/markdownlint/markdownlint/blob/master/docs/RULES.md.
all
rule 'MD013', :line_length => 120, :ignore_code_blocks => true, :tables => false
# Versions of the changelog have sections of the same names.
rule 'MD024', :allow_different_nesting => true
# Commands have a '$' also where no output is shown.
exclude_rule 'MD014'
# Every item of a numbered list is written '1.', or with its own number.
exclude_rule 'MD029'
# A bold line may name a short list.
exclude_rule 'MD036'
