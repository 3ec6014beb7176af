import { spawnSync } from 'node:child_process'
import {
  chmodSync, closeSync, lstatSync, openSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const OLD = 'the report of yesterday\n'
const ARGS = ['replay', 't', '--fixture', 'f', '--report', 'r.json', '--report', 'r.md', '--report', 'r.xml']

/** Transcripts that are more than 1 KiB of every kind of report. */
function plant(): string {
  const cwd = tempDir()
  const files = Array.from({ length: 40 }, (_, index) => [`t/${index}.jsonl`, '{"conversations": [\n'] as const)
  writeTree(cwd, { 'f/a': 'x', 'r.json': OLD, 'r.md': OLD, 'r.xml': OLD, ...Object.fromEntries(files) })
  return cwd
}

describe('the reports of a replay', () => {
  it.each(['r.json', 'r.md', 'r.xml'])('keeps the %s that was there where the system ends it half-way', (name) => {
    const cwd = plant()
    // Files of more than 1 KiB cannot be written.
    const run = spawnSync('bash', [
      '-c', 'ulimit -f 1; exec "$@"', 'bash', process.execPath, cli.path, ...ARGS.slice(0, 4), '--report', name,
    ], { cwd, env: plainEnvironment(), encoding: 'utf8' })
    expect(run.status).not.toBe(0)
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(OLD)
  })

  it('are whole to who has the old ones open, stand behind links with their modes, and leave nothing beside them', async () => {
    const cwd = plant()
    chmodSync(join(cwd, 'r.md'), 0o600)
    writeTree(cwd, { 'kept/own.xml': OLD })
    writeFileSync(join(cwd, 'kept/own.xml'), OLD, { mode: 0o640 })
    // Links in the working directory are refused: a command may have put them there.
    const link = join(tempDir(), 'link.xml')
    symlinkSync(join(cwd, 'kept/own.xml'), link)
    const args = ['replay', 't', '--fixture', 'f', '--report', 'r.json', '--report', 'r.md', '--report', link]
    const names = readdirSync(cwd)
    const reader = openSync(join(cwd, 'r.json'), 'r')
    const { exitCode } = await cli.run(args, { cwd })
    expect(exitCode).toBe(1)
    expect(readFileSync(reader, 'utf8')).toBe(OLD)
    closeSync(reader)
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ bad: 40 })
    expect(statSync(join(cwd, 'r.md')).mode & 0o777).toBe(0o600)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(cwd, 'kept/own.xml'), 'utf8')).toContain('<testsuites')
    expect([readdirSync(cwd), readdirSync(join(cwd, 'kept'))]).toEqual([names, ['own.xml']])
  })

  it('count as passed what was compared alone, and not a recording of which a part cannot be read', async () => {
    const cwd = tempDir()
    const said = (value: string): string => `${JSON.stringify({ conversations: [{ from: 'gpt', value }] })}\n`
    const events = [
      { type: 'run', version: 1, id: 'r', root: '/w' }, { type: 'answer', run: 'r', text: '<tool_call>{"name": "ls", "arguments": {"path": "/w"}}</tool_call>' },
      { type: 'block-end', run: 'r', result: { blockId: 'b1', action: 'ls', params: {}, success: true, data: [], startLine: 1, endLine: 1, durationMs: 1 } },
    ].map((event) => `${JSON.stringify(event)}\n`)
    writeTree(cwd, {
      't/a-talk.jsonl': said('Only words.'), 't/b-foreign.jsonl': said('<tool_call>{"name": "theirs", "arguments": {}}</tool_call>'),
      't/c-unrecorded.jsonl': said('<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>'),
      't/d-part.jsonl': `${events.join('')}{"type":"end","ru`, 't/e-whole.jsonl': events.join(''), 't/f-empty.jsonl': '',
    })
    const { exitCode, stdout } = await cli.run(['replay', 't', '--report', 'r.xml', '--json'], { cwd })
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { schemaVersion: 1, success: false, drifted: 0, bad: 2 }])
    const cases = [...readFileSync(join(cwd, 'r.xml'), 'utf8').matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^]*?(?:\/>|<(\w+)[^>]* message="([^"]*)")/g)]
    expect(cases.map(([, file, name, outcome = 'passed', message]) => [file, name, outcome, message])).toEqual([
      ['t/d-part.jsonl', 'line 4', 'error', 'The line is no JSON'],
      ['t/f-empty.jsonl', 'file', 'error', 'The file is empty'],
      ['t/a-talk.jsonl', 'a-talk.jsonl', 'skipped', 'nothing was compared: nothing to run was found'],
      ['t/b-foreign.jsonl', 'b-foreign.jsonl', 'skipped', 'nothing was compared: 1 unmapped'],
      ['t/c-unrecorded.jsonl', 'c-unrecorded.jsonl', 'skipped', 'nothing was compared: 1 unrecorded'],
      ['t/d-part.jsonl', 'd-part.jsonl', 'skipped', 'a part of the file cannot be read; the rest came out as recorded'],
      ['t/e-whole.jsonl', 'e-whole.jsonl', 'passed', undefined],
    ])
  })
})
