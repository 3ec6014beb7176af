import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { HistoryFile } from '../../src/line-editor/history-file.js'

const same = (line: string): string => line
const json = (file: string, mask = same): HistoryFile => new HistoryFile({ file, form: 'json', mask })

it('keeps what several chats add, without secrets, and passes over what is no line of its own', () => {
  const file = join(tempDir(), 'home', 'chat_history')
  const [one, other] = [
    json(file, (line) => line.replace('hunter2', '[masked]')), json(file),
  ]
  one.add('my password is hunter2')
  other.add('two\nlines')
  one.add('last')
  expect(one.lines).toEqual(['my password is hunter2', 'last'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, '{"no": "text"}\n"cut o\n', { flag: 'a' })
  expect(json(file).lines).toEqual(['my password is [masked]', 'two\nlines', 'last'])
  writeFileSync(file, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''))
  expect(json(file).lines).toHaveLength(1000)
  expect(readFileSync(file, 'utf8').split('\n').at(0)).toBe('"1500"')
})

it('reads and writes nothing through a link', () => {
  const directory = tempDir()
  const [link, target] = [join(directory, 'link'), join(directory, 'target')]
  writeFileSync(target, '"of another"\n')
  symlinkSync(target, link)
  const history = json(link)
  history.add('mine')
  expect(history.lines).toEqual(['mine'])
  expect(readFileSync(target, 'utf8')).toBe('"of another"\n')
})

it('keeps lines as they were typed where they hold no line breaks, and says once that it cannot', () => {
  const file = join(tempDir(), 'history')
  writeFileSync(file, 'one\r\n\n  two\n')
  const history = new HistoryFile({ file, form: 'plain', mask: (line) => line.replace('hunter2', '[masked]') })
  expect(history.lines).toEqual(['one', '  two'])
  for (const line of ['  two', 'it is hunter2', 'it is hunter2', '  ', 'one', 'x'.repeat(10_001)]) history.add(line)
  // Going back meets each line once.
  expect(history.lines).toEqual(['  two', 'it is hunter2', 'one'])
  expect(readFileSync(file, 'utf8')).toBe('one\r\n\n  two\nit is [masked]\none\n')

  const codes: string[] = []
  const unusable = new HistoryFile({
    file: tempDir(), form: 'plain', mask: same, onProblem: (code) => codes.push(code),
  })
  unusable.add('a')
  expect([unusable.lines, codes]).toEqual([['a'], ['EISDIR']])
})
