/** Where a block is live: contract section 1, in one line. */
export const LIVE_PLACES = 'outside of quotes, comments, think sections and code fences of other languages'

/** The two shapes that make a block live, for whoever wrote none. Contract section 1. */
export const BLOCK_SHAPES: readonly string[] = [
  '#!SHAM [@three-char-SHA-256: abc]',
  'action = "file_write"',
  'path = "/path/to/file.txt"',
  "content = <<'EOT_SHAM_abc'",
  'Hello',
  'EOT_SHAM_abc',
  '#!END_SHAM_abc',
  '',
  '```yaml hermes',
  'verb: file_write',
  'arguments:',
  '  path: /path/to/file.txt',
  '  content: Hello',
  '```',
]
