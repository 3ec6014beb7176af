import { expect, it } from 'vitest'
import { ShellText } from '../../src/terminal-sessions/shell-text.js'

function remembered(...commands: string[]): string {
  const text = new ShellText()
  for (const command of commands) text.add(command)
  return text.all
}

it.each([
  ['an open quote', 'echo "open'],
  ['an open list', 'if true; then echo x'],
  ['a here document without end', 'cat <<EOT\nno end'],
  ['an open bracket', 'echo $((1+'],
])('what comes after %s stands for itself', (_, command) => {
  expect(remembered("alias l='r''m'", command, 'pwd')).toBe("alias l='r''m'\n\npwd\n")
})

it.each([
  ['lines before an open quote, which a shell runs', 'alias l=rm\necho "open', 'alias l=rm\n'],
  ['a line with a backslash at the end of the text', 'alias l=rm \\', 'alias l=rm \n'],
  ['a whole here document', "cat <<'EOT'\n\"\nEOT", "cat <<'EOT'\n\"\nEOT\n"],
  ['a function with the name of a command', 'rm() { :; }', 'rm() { :; }\n'],
])('%s: remembered', (_, command, kept) => {
  expect(remembered(command)).toBe(kept)
})

it('follows the keys that edit a line', () => {
  const text = new ShellText()
  text.type('m -rf d\u0001r')
  expect(text.after('\r')).toBe('rm -rf d\n')
  text.type('\u0005\u0015ls\u007f\u007f')
  expect(text.all).toBe('')
})
