/** Where a block is live, that is, is run: contract section 1, in one line. */
export const LIVE_PLACES = 'outside of quotes, comments, think sections and code fences of other languages'

/**
 * A block in each of its two shapes, SHAM and fence, shown below an answer in which none was found. Contract section 1.
 */
export const BLOCK_EXAMPLES: readonly string[] = [
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
