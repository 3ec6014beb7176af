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
})
