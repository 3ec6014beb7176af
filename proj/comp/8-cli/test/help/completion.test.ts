import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_CODES } from '../../../0-contracts/src/index.js'
import { settingNames } from '../../../2-config/src/config/index.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import { bashCompletion, fishCompletion, powershellCompletion, zshCompletion } from '../../../7-setup/src/completion/index.js'
import { TOPICS } from '../../../7-setup/src/help-texts/index.js'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { needing } from '../../../../test/support/needs.js'
import { startTerminal } from '../../../../test/support/pty-screen.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { COMMANDS } from '../../src/commands.js'

const cli = useCli()
const TABLE = {
  commands: COMMANDS, verbs: VERBS.map(({ name }) => name), topics: TOPICS.map(({ name }) => name), codes: ALL_CODES, settings: settingNames(),
}
const RUN = '20260102T030405678Z-1'

/** A root with a run of which there is a journal, below a directory. */
function withRun(): string {
  const cwd = tempDir()
  mkdirSync(join(cwd, '.hermes', 'journal', RUN), { recursive: true })
  mkdirSync(join(cwd, 'other', '.hermes', 'journal', RUN.replace('2026', '2025')), { recursive: true })
  return cwd
}

describe('hermes completion', () => {
  const complete = (...words: string[]): string[] => {
    const cwd = tempDir()
    mkdirSync(join(cwd, 'directory'))
    writeFileSync(join(cwd, 'answer.md'), '')
    const file = join(tempDir(), 'hermes.bash')
    writeFileSync(file, bashCompletion(TABLE))
    const script = `source '${file}'; COMP_WORDS=(hermes ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hermes; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-uc', script], { cwd, encoding: 'utf8' }).trim().split('\n').filter(Boolean).sort()
  }

  it.each([
    [['ap'], ['apply']], [['apply', '--sand'], ['--sandbox']], [['apply', '--sandbox', 'b'], ['bwrap']], [['apply', '--sandbox', '=', 'n'], ['none']],
    [['apply', '--match', ''], ['exact', 'tolerant']], [['apply', '--root', ''], ['directory']], [['apply', ''], ['answer.md', 'directory']],
    [['apply', '--report', 'a'], ['answer.md']], [['tools', ''], ['doctor', 'list', 'show', 'validate']], [['tools', 'show', 'fs.writeR'], ['fs.writeRange']],
    [['config', 'set', 'verbs.e'], ['verbs.exec']], [['config', 'm'], ['migrate']], [['completion', ''], ['bash', 'fish', 'powershell', 'zsh']], [['help', 'troub'], ['troubleshooting']],
  ])('bash: %j gives %j', (words, expected) => {
    expect(complete(...words)).toEqual(expected)
  })

  it('bash: completes names with spaces as one', () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'my answer.md'), '')
    const script = `source <(cat <<'END'\n${bashCompletion(TABLE)}END\n); COMP_WORDS=(hermes apply my); COMP_CWORD=2; _hermes; printf '%s|' "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['-uc', script], { cwd, encoding: 'utf8' })).toBe('my answer.md|')
  })

  it('bash: offers every command and every flag', () => {
    expect(complete('')).toEqual([...COMMANDS.map(({ name }) => name), '--help', '--version'].sort())
    for (const { name, flags } of COMMANDS.slice(0, 5)) {
      expect(complete(name, '--')).toEqual(flags.map((flag) => `--${flag.name}`).sort())
    }
  })

  it.each([['zsh', zshCompletion], ['fish', fishCompletion]] as const)('%s: names every command and flag; the shell reads it where it is installed', (shell, write) => {
    const script = write(TABLE)
    for (const { name, flags } of COMMANDS) {
      expect(script).toContain(name)
      for (const flag of flags) expect(script).toContain(shell === 'zsh' ? `--${flag.name}` : `-l ${flag.name}`)
    }
    const file = join(tempDir(), 'completion')
    writeFileSync(file, script)
    const { error, status } = spawnSync(shell, ['-n', file])
    expect(error === undefined ? status : 0).toBe(0)
  })

  it('knows no other shell', async () => {
    expect(await cli.run(['completion', 'zhs'], { cwd: tempDir() })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean zsh?') })
    expect((await cli.run(['completion', 'bash'], { cwd: tempDir() })).stdout).toBe(bashCompletion(TABLE))
  })

  it('powershell (of which nothing is tried): names every command, flag and code, and quotes what it names', () => {
    const script = powershellCompletion(TABLE)
    for (const { name, flags } of COMMANDS) {
      expect(script).toContain(`'${name}' = @(`)
      for (const flag of flags) expect(script).toContain(`'--${flag.name}'`)
    }
    for (const code of ALL_CODES) expect(script).toContain(`'${code}'`)
    const rows = script.split('\n').filter((line) => line.startsWith('    ') && line.includes(' = @('))
    expect(rows.filter((line) => !/^ {4}'[\w -]+' = @\((?:'[^']*'(?:, (?!\)))?)*\)$/.test(line) && !line.includes('$'))).toEqual([])
    expect([...script].filter((sign) => sign === '{').length).toBe([...script].filter((sign) => sign === '}').length)
  })

  it('bash: completes runs by their journals, also those of --root', () => {
    const cwd = withRun()
    const script = join(tempDir(), 'hermes.bash')
    writeFileSync(script, bashCompletion(TABLE))
    const runs = (...words: string[]): string => execFileSync('bash', ['-uc',
      `source '${script}'; COMP_WORDS=(hermes ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hermes; echo "\${COMPREPLY[*]}"`,
    ], { cwd, encoding: 'utf8' }).trim()
    expect([runs('log', ''), runs('undo', '--run', '20'), runs('apply', '--root', 'other', '--continue', '')]).toEqual([RUN, RUN, RUN.replace('2026', '2025')])
  })

  it('bash: completes npx hermes, and leaves all else of npx to what was there', () => {
    const script = join(tempDir(), 'hermes.bash')
    writeFileSync(script, bashCompletion(TABLE))
    const npx = (before: string, ...words: string[]): string => execFileSync('bash', ['-uc', `${before}
source '${script}'; source '${script}'; COMP_WORDS=(npx ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; COMPREPLY=()
_hermes_npx npx; echo "\${COMPREPLY[*]}"; complete -p npx`], { encoding: 'utf8' }).trim()
    const earlier = 'before() { COMPREPLY=(earlier-$1); }; complete -o nospace -F before npx'
    expect(npx('', 'hermes', 'help', 'AMBIG')).toBe('AMBIGUOUS_MATCH\ncomplete -o default -F _hermes_npx npx')
    expect(npx('', 'her')).toBe('complete -o default -F _hermes_npx npx')
    expect(npx(earlier, 'tsc', '')).toBe('earlier-npx\ncomplete -o nospace -F _hermes_npx npx')
    expect(npx(earlier, 'hermes', 'redo', '--js')).toBe('--json\ncomplete -o nospace -F _hermes_npx npx')
  })

  needing('fish').it('fish: completes commands, runs and codes, by npx too, and of npx nothing else', () => {
    const cwd = withRun()
    const script = join(tempDir(), 'hermes.fish')
    writeFileSync(script, fishCompletion(TABLE))
    const offered = (line: string): string[] => (
      execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { cwd, encoding: 'utf8', env: { ...plainEnvironment(), HOME: cwd } })
        .split('\n').map((row) => row.split('\t')[0]!).filter(Boolean)
    )
    expect(offered('hermes undo --run ')).toEqual([RUN])
    expect(offered('npx hermes help AMBIG')).toEqual(['AMBIGUOUS_MATCH'])
    expect(offered('npx hermes log --root other 20')).toEqual([RUN.replace('2026', '2025')])
    expect(offered('npx tsc und')).toEqual([])
  })

  needing('zsh', 'node-pty').it('zsh: completes runs and codes, by npx too, and calls what completed npx before', async () => {
    const cwd = withRun()
    writeFileSync(join(cwd, '.completion.zsh'), zshCompletion(TABLE))
    const terminal = startTerminal('zsh', ['-f', '-i'], { cwd, columns: 100, rows: 20, env: { ...plainEnvironment(), HOME: cwd } })
    try {
      terminal.type('PS1="> "; autoload -U compinit; compinit -D -u; _before() { compadd earlier-npx }; compdef _before npx\r')
      terminal.type('source .completion.zsh; source .completion.zsh; echo read\r')
      await terminal.waitFor(/^read$/m)
      terminal.type('hermes log 2\t')
      await terminal.waitFor(`hermes log ${RUN}`)
      terminal.type('\x15npx hermes help AMBIG\t')
      await terminal.waitFor('npx hermes help AMBIGUOUS_MATCH')
      terminal.type('\x15npx ea\t')
      await terminal.waitFor('npx earlier-npx')
    } finally {
      terminal.close()
    }
  })
})
