/** Only runs that this user signed are taken back or recovered, and they are in the order in which they were made. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copySync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli, type CliOutcome } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { describeWithTerminal, openTerminal } from '../../../test/support/terminal.js'
import { shamBlock } from '../../1-registry/src/registry/index.js'

const cli = useCli()
const CLOCK = fileURLToPath(new URL('set-clock.cjs', import.meta.url))
const DAY_MS = 86_400_000

class Place {
  root = join(tempDir(), 'root')
  home = tempDir()

  constructor() {
    mkdirSync(this.root)
  }

  hermes(args: readonly string[], { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}): Promise<CliOutcome> {
    return cli.run(args, { cwd: this.root, input, env: { HERMES_HOME: this.home, ...env } })
  }

  async write(path: string, content: string, env: Record<string, string> = {}): Promise<void> {
    const input = `${shamBlock('abc', 'file_write', { path, content })}\n`
    const { exitCode, stderr } = await this.hermes(['apply', '-', '--relative-paths', '--no-git'], { input, env })
    if (exitCode !== 0 || stderr !== '') throw new Error(`exit ${String(exitCode)}: ${stderr}`)
  }

  async json(...args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse((await this.hermes([...args, '--json'])).stdout) as Record<string, unknown>
  }

  text(path: string): string | undefined {
    const file = join(this.root, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  /** Logs of the runs, by id. */
  logs(): string[] {
    const journal = join(this.root, '.hermes', 'journal')
    return readdirSync(journal).sort().map((run) => join(journal, run, 'log.jsonl'))
  }

  change(log: number, from: string | RegExp, to: string): void {
    const file = this.logs().at(log) ?? ''
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }

  /** As a version before this one wrote it. */
  makeOld(): void {
    for (const file of this.logs()) {
      const text = readFileSync(file, 'utf8').replaceAll(/,"mac":"[0-9a-f]{64}"\}\n/g, '}\n')
        .replace('"format":2', '"format":1').replace(/,"seq":\d+/, '').replace(/,"prev":"[0-9a-f]+"/, '')
      writeFileSync(file, text)
    }
  }
}

/** A place in which two runs wrote the same file. */
async function twice(): Promise<Place> {
  const place = new Place()
  await place.write('a.txt', 'one')
  await place.write('a.txt', 'two')
  return place
}

const states = async (place: Place): Promise<unknown> =>
  ((await place.json('log', '--verify'))['runs'] as { signature: string }[]).map(({ signature }) => signature)

describe('the order of runs', () => {
  it('is that in which they were made, also when the clock was set back', async () => {
    const place = new Place()
    await place.write('a.txt', 'one')
    await place.write('a.txt', 'two', { NODE_OPTIONS: `--require ${CLOCK}`, CLOCK_SHIFT: String(-DAY_MS) })
    await place.write('a.txt', 'three', { NODE_OPTIONS: `--require ${CLOCK}`, CLOCK_SHIFT: String(-2 * DAY_MS) })
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('two')
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('one')
    expect((await place.hermes(['redo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('two')
    expect(await states(place)).toEqual(Array(6).fill('signed'))
  })
})

describe('a journal of another machine', () => {
  it('is listed and not undone, until the user trusts it, once', async () => {
    const place = await twice()
    place.home = tempDir()
    const refused = await place.hermes(['undo'])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('2 runs in .hermes/journal are not signed with the key of this user')
    expect(refused.stderr).toContain('--trust-journal')
    expect(await place.json('undo')).toMatchObject({ success: false, code: 'UNTRUSTED_JOURNAL' })
    expect(place.text('a.txt')).toBe('two')
    expect((await place.hermes(['log'])).stdout).toContain('not signed with your key')
    expect(await states(place)).toEqual(['forged', 'forged'])
    expect((await place.hermes(['undo', '--trust-journal'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('one')
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBeUndefined()
    expect(await states(place)).toEqual(Array(4).fill('signed'))
  })

  it('does not stand in the way of runs of this user, which are undone as ever', async () => {
    const place = await twice()
    place.change(1, /\{"op":"end".*\n/g, '')
    place.home = tempDir()
    const { exitCode, stdout, stderr } = await place.hermes(['apply', '-', '--relative-paths', '--no-git'], {
      input: shamBlock('abc', 'file_write', { path: 'b.txt', content: 'b' }),
    })
    expect(exitCode).toBe(0)
    expect(stdout + stderr).toContain('hermes recover --trust-journal')
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect([place.text('a.txt'), place.text('b.txt')]).toEqual(['two', undefined])
    expect(await place.json('recover', '--restore')).toMatchObject({ code: 'UNTRUSTED_JOURNAL' })
    expect(await place.json('recover', '--restore', '--trust-journal')).toMatchObject({ success: true, restored: true })
    expect(place.text('a.txt')).toBe('one')
  })
})

describeWithTerminal('a journal of another machine, at a terminal', () => {
  it('is undone from only after a yes, which signs it', async () => {
    const place = await twice()
    place.home = tempDir()
    const env = { ...plainEnvironment(), HERMES_HOME: place.home, NO_COLOR: '1' }
    for (const [key, exitCode, text, state] of [['\r', 1, 'two', 'forged'], ['y\r', 0, 'one', 'signed']] as const) {
      const terminal = openTerminal(process.execPath, [cli.path, 'undo'], { cwd: place.root, env })
      await terminal.waitFor('[y/N]')
      expect(terminal.screen()).toContain('2 runs in .hermes/journal are not signed')
      terminal.type(key)
      expect((await terminal.exited).exitCode).toBe(exitCode)
      expect(place.text('a.txt')).toBe(text)
      expect(new Set(await states(place) as string[])).toEqual(new Set([state]))
    }
  })
})

describe('a journal that was', () => {
  it('written by an older hermes is listed as unsigned, and undone where the user trusts it', async () => {
    const place = await twice()
    place.makeOld()
    expect(await states(place)).toEqual(['unsigned', 'unsigned'])
    expect((await place.hermes(['log'])).stdout).toContain('unsigned')
    expect(await place.json('undo')).toMatchObject({ code: 'UNTRUSTED_JOURNAL' })
    await place.write('a.txt', 'three')
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('two')
    expect((await place.hermes(['undo'])).exitCode).toBe(1)
    expect((await place.hermes(['undo', '--trust-journal'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('one')
  })

  it('changed in one line is not undone', async () => {
    const place = await twice()
    place.change(1, '"path":"a.txt"', '"path":".envrc"')
    expect(await place.json('undo', '--run', place.logs().at(1)?.split('/').at(-2) ?? '')).toMatchObject({ code: 'UNTRUSTED_JOURNAL' })
    expect(await states(place)).toEqual(['signed', 'forged'])
    expect((await place.hermes(['log', '--verify'])).exitCode).toBe(1)
    expect(place.text('.envrc')).toBeUndefined()
  })

  it('robbed of a run in the middle says so, and of its order too', async () => {
    const place = await twice()
    await place.write('a.txt', 'three')
    rmSync(join(place.logs()[1] ?? '', '..'), { recursive: true })
    expect(await states(place)).toEqual(['signed', 'missing', 'signed'])
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('two')
  })

  it('moved with its folder keeps its chain', async () => {
    const place = await twice()
    const moved = `${place.root}-moved`
    renameSync(place.root, moved)
    place.root = moved
    expect((await place.hermes(['log', '--verify'])).exitCode).toBe(0)
    expect((await place.hermes(['undo'])).exitCode).toBe(0)
    expect(place.text('a.txt')).toBe('one')
  })

  it('put together of runs of two folders is no chain', async () => {
    const [place, other] = [await twice(), await twice()]
    other.home = place.home
    const copied = new Place()
    copied.home = place.home
    await copied.write('x.txt', 'x')
    await copied.write('a.txt', 'theirs')
    const [, second = ''] = copied.logs()
    rmSync(join(place.logs()[1] ?? '', '..'), { recursive: true })
    const run = join(second, '..')
    copySync(run, join(place.root, '.hermes', 'journal', run.split('/').at(-1) ?? ''))
    expect(await states(place)).toEqual(['signed', 'forged'])
  })
})

describe('the key', () => {
  it('is one of the user, who alone can read it, also where several runs make it at once', async () => {
    const places = Array.from({ length: 4 }, () => new Place())
    const home = join(tempDir(), 'home')
    for (const place of places) place.home = home
    await Promise.all(places.map((place) => place.write('a.txt', 'a')))
    expect(readdirSync(home).filter((name) => name.startsWith('journal.key'))).toEqual(['journal.key'])
    expect(lstatSync(join(home, 'journal.key')).mode & 0o777).toBe(0o600)
    for (const place of places) expect(await states(place)).toEqual(['signed'])
  })

  it('that cannot be made costs the undo, not the run', async () => {
    const place = new Place()
    place.home = join(place.home, 'file', 'home')
    writeFileSync(join(place.home, '../..', 'file'), '')
    await place.write('a.txt', 'a')
    expect(await states(place)).toEqual(['unsigned'])
    expect(await place.json('undo')).toMatchObject({ code: 'UNTRUSTED_JOURNAL' })
    expect(await place.json('undo', '--trust-journal')).toMatchObject({ code: 'EACCES', hint: expect.stringContaining('HERMES_HOME') as unknown })
  })
})
