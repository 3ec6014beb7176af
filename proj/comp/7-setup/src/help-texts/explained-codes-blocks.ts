import type { ExplainedCode } from './explained-code.js'

/** A SHAM block with these lines. */
function sham(...lines: readonly string[]): string {
  return ['#!SHAM [@three-char-SHA-256: abc]', ...lines, '#!END_SHAM_abc'].join('\n')
}

const WRITE = ['action = "file_write"', 'path = "/w/b.txt"']

/** Codes of unreadable blocks and invalid calls. */
export const CODES_FIRST: Readonly<Record<string, ExplainedCode>> = {
  UNKNOWN_ACTION: {
    cause: 'The block names a verb that there is not.',
    fix: 'Write the name or the call that the hint gives, or one of hermes tools list; hermes help mappings tells how '
      + 'calls of other harnesses run as they are.',
    example: sham('action = "file_wirte"', 'path = "/w/b.txt"', 'content = "x"'),
  },
  MISSING_ACTION: {
    cause: 'A SHAM block has no action line.', fix: 'Begin it with action = "NAME".',
    example: sham('path = "/w/b.txt"'),
  },
  MISSING_PARAMETER: {
    cause: 'A parameter that the verb needs is not there.',
    fix: 'Add it, or write the name that the hint gives in place of the one there; hermes tools show NAME lists all.',
    example: sham(...WRITE),
  },
  UNKNOWN_PARAMETER: {
    cause: 'An envelope or tool call has a parameter that the verb does not have.',
    fix: 'Leave it out, or write the name in the hint.',
    example: '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt", "line": 1}}</tool_call>',
  },
  INVALID_PARAMETER: {
    cause: 'A value is of the wrong type, out of its bounds, or a path is not absolute.',
    fix: 'Write it as the hint says; --relative-paths allows relative paths.',
    example: sham('action = "file_read"', 'path = "a.txt"'),
  },
  INVALID_ENVELOPE: {
    cause: 'A hermes fence is not valid YAML or JSON, or has no verb.',
    fix: 'Write verb: and arguments:, and quote what YAML reads otherwise.',
    example: '```yaml hermes\nverb: fs.exists\narguments: [\n```',
  },
  INVALID_TOOL_CALL: {
    cause: 'What stands in <tool_call> is not strict JSON with name and arguments.',
    fix: 'Write the JSON that the hint shows.',
    example: "<tool_call>{'name': 'read_file', 'arguments': {'path': 'a.txt'}}</tool_call>",
  },
  INVALID_EDIT: {
    cause: 'A block of an edit format lacks its path, divider or file. Such blocks run only with --edit-format.',
    fix: 'Write the path alone on the line above, and all three markers.',
  },
  UNCLOSED_THINK: {
    cause: 'A think section never ends, so that all below it is thinking.',
    fix: 'Close it with </think> before the first block.',
    example: `<think>\n${sham('action = "file_read"', 'path = "/w/a.txt"')}`,
  },
  UNCLOSED_COMMENT: {
    cause: 'An HTML comment never ends and hides blocks.', fix: 'Close it with -->.',
    example: `<!-- a note\n${sham('action = "file_read"', 'path = "/w/a.txt"')}`,
  },
  UNCLOSED_FENCE: {
    cause: 'A code fence never ends and hides a fence of blocks.',
    fix: 'Close it with as many backticks as it was opened with.',
    example: '~~~text\nwords\n\n```yaml hermes\nverb: fs.exists\narguments: { path: a.txt }\n```',
  },
  NOT_LIVE: {
    cause: 'It nearly is a block, but is written or placed so that it does not run.',
    fix: 'Write it exactly, at the start of a line.',
    example: '```python\nprint(1)\n\n```yaml hermes\nverb: fs.exists\narguments: { path: a.txt }\n```',
  },
  STRAY_THINK_END: {
    cause: 'In a stream, </think> came with nothing open: what ran before may have been thinking.',
    fix: 'Say --starts-in-think where the text begins inside a think section.',
  },
  NOT_READ: {
    cause: 'The answer asks for something in a format that is not read: that of another tool, or an edit format that '
      + 'is off.',
    fix: 'Write it as a hermes block, or enable the format that the hint names; dialects: in hermes.yaml keeps it.',
    example: '<write_to_file>\n<path>a.txt</path>\n<content>three</content>\n</write_to_file>',
  },
  DIFF_AS_FILE: {
    cause: 'With --edit-format whole, a fence with a path holds a diff, marks of an edit or what a terminal showed.',
    fix: 'Write the whole new file, or enable the format of the edit.',
  },
  EXCERPT: {
    cause: 'With --edit-format whole, a fence holds a passage of the file, or fewer than half of its lines.',
    fix: 'Write the whole file, or replace only the lines that are to change.',
  },
  QUOTED_FILE: {
    cause: 'With --edit-format whole, the line above a fence says that it shows what is there.',
    fix: 'Say in the line above the fence that this is the new content.',
  },
  DUPLICATE_KEY: {
    cause: 'A block gives a key twice.', fix: 'Give it once.',
    example: sham(...WRITE, 'content = "x"', 'content = "y"'),
  },
  MALFORMED_HEADER: {
    cause: 'The header of a block is not written as it must be.', fix: 'Write #!SHAM [@three-char-SHA-256: abc].',
    example: '#! SHAM [@three-char-SHA-256: abc]',
  },
  INVALID_BLOCK_ID: {
    cause: 'The id has signs other than letters and digits, or is too short or long; or, with --continue, a block of '
      + 'that id succeeded before, with another text.',
    fix: 'Take 2 to 8 letters or digits, and for another block another id.',
    example: '#!SHAM [@three-char-SHA-256: a-b]\naction = "ls"\n#!END_SHAM_a-b',
  },
  INVALID_KEY: {
    cause: 'A key is not a name of letters, digits and _.', fix: 'Write the name of a parameter.',
    example: sham(...WRITE, 'my-key = "x"'),
  },
  INVALID_VALUE: {
    cause: 'A value is neither in quotes nor a heredoc.', fix: 'Put it into double quotes.',
    example: sham(...WRITE, 'content = x'),
  },
  UNCLOSED_QUOTE: {
    cause: 'A quoted value does not end on its line.', fix: 'Close the quote; use a heredoc for several lines.',
    example: sham(...WRITE, 'content = "x'),
  },
  UNCLOSED_HEREDOC: {
    cause: 'The terminator of a heredoc is missing: the answer was cut off, or the line is not exactly the terminator.',
    fix: 'End it with its terminator alone on a line, and write the block again.',
    example: `${sham(...WRITE, "content = <<'EOT_SHAM_abc'", 'x').replace(/\n#!END.*/, '')}`,
  },
  UNCLOSED_BLOCK: {
    cause: 'A block has no end marker.', fix: 'End it with #!END_SHAM_ and its id.',
    example: '#!SHAM [@three-char-SHA-256: abc]\naction = "ls"',
  },
  MISMATCHED_END: {
    cause: 'An end marker has another id than the block that is open.', fix: 'Use the same id in header and end.',
    example: '#!SHAM [@three-char-SHA-256: abc]\naction = "ls"\npath = "/w"\n#!END_SHAM_xyz',
  },
  TRAILING_CONTENT: {
    cause: 'Something stands behind a quoted value.', fix: 'End the line after the value.',
    example: sham(...WRITE, 'content = "x" and more'),
  },
  MALFORMED_ASSIGNMENT: {
    cause: 'A line in a block is no key = value.',
    fix: 'Write one on each line; put text of several lines into a heredoc.', example: sham(...WRITE, 'some words'),
  },
  INVALID_ASSIGNMENT_OPERATOR: {
    cause: 'Something else than = stands between key and value.', fix: 'Write =.',
    example: sham(...WRITE, 'content := "x"'),
  },
  INVALID_HEREDOC_DELIMITER: {
    cause: "A heredoc's terminator is not EOT_SHAM_ with the block's id, in single quotes.",
    fix: "Write <<'EOT_SHAM_abc' with the id of the header.", example: sham(...WRITE, "content = <<'EOF'", 'x', 'EOF'),
  },
  EMPTY_KEY: {
    cause: 'Nothing stands before the =.', fix: 'Write the name of the parameter.', example: sham(...WRITE, '= "x"'),
  },
}
