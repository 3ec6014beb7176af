/**
 * Writes V8's code cache beside each chunk of the command line that a run of a few blocks loads: with the functions
 * that such a run calls.
 */
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const BLOCKS = `#!SHAM [@three-char-SHA-256: abc]
action = "file_write"
path = "a/b.txt"
content = <<'EOT_SHAM_abc'
text
EOT_SHAM_abc
#!END_SHAM_abc

\`\`\`sh sham
#!SHAM [@three-char-SHA-256: abd]
action = "file_replace_text"
path = "a/b.txt"
old_text = "missing"
new_text = "new"
#!END_SHAM_abd
\`\`\`
`
const launcher = process.argv[2]
const directory = mkdtempSync(join(tmpdir(), 'hermes-build-'))
const answer = join(directory, 'answer.md')
writeFileSync(answer, BLOCKS)
process.env.HOME = directory
process.argv.splice(1, Infinity, launcher, 'apply', answer, '--no-git', '--relative-paths', '--root', directory)

const { start, scripts } = require(launcher)
process.on('exit', () => {
  for (const [cache, script] of scripts) {
    writeFileSync(`${cache}.new`, script.createCachedData())
    renameSync(`${cache}.new`, cache)
  }
  rmSync(directory, { recursive: true })
  // One of the blocks fails.
  process.exitCode = process.exitCode === 1 ? 0 : 1
})
start()
