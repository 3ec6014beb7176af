import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { HistoryFile } from '../src/history-file.js'

const same = (line: string): string => line

it('keeps what several chats add, without secrets, and passes over what is no line of its own', () => {
  const file = join(tempDir(), 'home', 'chat_history')
  const [one, other] = [
    new HistoryFile(file, (line) => line.replace('hunter2', '[masked]')), new HistoryFile(file, same),
  ]
  one.add('my password is hunter2')
  other.add('two\nlines')
  one.add('last')
  expect(one.lines).toEqual(['my password is hunter2', 'last'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, '{"no": "text"}\n"cut o\n', { flag: 'a' })
  expect(new HistoryFile(file, same).lines).toEqual(['my password is [masked]', 'two\nlines', 'last'])
  writeFileSync(file, Array.from({ length: 2500 }, (_, index) => `"${index}"\n`).join(''))
  expect(new HistoryFile(file, same).lines).toHaveLength(1000)
  expect(readFileSync(file, 'utf8').split('\n').at(0)).toBe('"1500"')
})

it('reads and writes nothing through a link', () => {
  const directory = tempDir()
  const [link, target] = [join(directory, 'link'), join(directory, 'target')]
  writeFileSync(target, '"of another"\n')
  symlinkSync(target, link)
  const history = new HistoryFile(link, same)
  history.add('mine')
  expect(history.lines).toEqual(['mine'])
  expect(readFileSync(target, 'utf8')).toBe('"of another"\n')
})
