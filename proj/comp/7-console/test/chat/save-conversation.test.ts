import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { saveConversation } from '../../src/chat/save-conversation.js'

it('adds to training data, and to nothing else', () => {
  const directory = tempDir()
  const at = (name: string): string => join(directory, name)
  expect(saveConversation('{"a":1}', at('new/data.jsonl'))).toBe(at('new/data.jsonl'))
  saveConversation('{"b":2}', at('new/data.jsonl'))
  expect(readFileSync(at('new/data.jsonl'), 'utf8')).toBe('{"a":1}\n{"b":2}\n')
  writeFileSync(at('open.jsonl'), '{"a":1}')
  saveConversation('{"b":2}', at('open.jsonl'))
  expect(readFileSync(at('open.jsonl'), 'utf8')).toBe('{"a":1}\n{"b":2}\n')
  for (const text of ['# Notes\n', '[1]\n', '{"name": "package",\n']) {
    writeFileSync(at('other'), text)
    expect(() => saveConversation('{}', at('other'))).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    expect(readFileSync(at('other'), 'utf8')).toBe(text)
  }
  expect(() => saveConversation('{}', directory)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
  vi.stubEnv('HOME', directory)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(saveConversation('{}', '~/mine.jsonl')).toBe(at('mine.jsonl'))
})
