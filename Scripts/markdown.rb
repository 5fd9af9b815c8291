# The rules of mdl for the form of pages. They are documented in https://github.com/markdownlint/markdownlint/blob/master/docs/RULES.md.
all
rule 'MD013', :line_length => 120, :ignore_code_blocks => true, :tables => false
# Each version in the changelog has sections with the same names.
rule 'MD024', :allow_different_nesting => true
# Commands begin with '$' even if no output is shown.
exclude_rule 'MD014'
# Items of a numbered list may be written '1.', or with their own numbers.
exclude_rule 'MD029'
# A bold line may be the title of a short list.
exclude_rule 'MD036'
