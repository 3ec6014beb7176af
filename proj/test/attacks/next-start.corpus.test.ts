/** What decides about the next `npx hermes` is as before when a run has ended, whatever its commands did. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LaidOut, type Layout, layOut } from '../../trials/planting/layouts.mjs'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { tempDir } from '../support/temp-dir.js'
import { SANDBOXES } from '../escapes/stage.js'

const NOBODY = 65534
const users = spread([
  ...(process.getuid?.() === 0 ? [{ name: 'as an unprivileged user', uid: NOBODY }] : []),
  { name: 'as this user', uid: undefined },
], 2)
const MANIFEST = '{\n\t"name": "project",\n\t"bin": { "other": "./other.js" },\n\t"scripts": {}\n}\n'

interface Outcome {
  results: { success: boolean; error?: string; code?: string }[]
  warnings?: string[]
  gitCommit?: string
}

/** A project in which hermes is installed, under git. */
function laidOut(layout: Layout): LaidOut {
  const directory = join(tempDir(), 'deep')
  mkdirSync(join(directory, 'home'), { recursive: true })
  chmodSync(dirname(directory), 0o755)
  const place = layOut(layout, directory)
  writeFileSync(join(place.project, 'package.json'), MANIFEST)
  writeFileSync(join(place.project, '.npmrc'), 'registry=https://registry.example/\nscript-shell=/bin/sh\n')
  writeFileSync(join(place.project, '.gitignore'), 'node_modules\ntools\n.hermes\n')
  git(place, 'init', '-q')
  git(place, 'add', '.')
  git(place, 'commit', '-qm', 'first')
  return place
}

function git({ project }: LaidOut, ...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'safe.directory=*']
  return execFileSync('git', [...who, ...args], { cwd: project, encoding: 'utf8' })
}

function apply({ project, command }: LaidOut, calls: readonly object[], uid: number | undefined, ...flags: string[]): Outcome {
  const directory = dirname(project)
  if (uid !== undefined) ownAll(directory, uid)
  const answer = calls.map(call => `\`\`\`json hermes\n${JSON.stringify(call)}\n\`\`\``).join('\n\n')
  const env = {
    PATH: '/usr/bin:/bin', HOME: join(directory, 'home'), GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b',
  }
  const { stdout, stderr } = spawnSync(process.execPath, [command, 'apply', '-', '--json', '--yes', ...flags], {
    cwd: project, input: answer, encoding: 'utf8', env, ...(uid !== undefined && { uid, gid: uid }),
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Outcome
}

/** What `npx hermes --version` prints in the project. */
function npx({ project }: LaidOut): string {
  const env = { PATH: process.env['PATH'], HOME: join(dirname(project), 'home'), npm_config_offline: 'true' }
  return execFileSync('npx', ['hermes', '--version'], { cwd: project, encoding: 'utf8', env })
}

function ownAll(directory: string, uid: number): void {
  const all = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map(name => join(directory, name))
  for (const path of [directory, ...all]) lchownSync(path, uid, uid)
}

const shell = (command: string) => ({ verb: 'execute_command', arguments: { command } })
const write = (path: string, content: string) => ({ verb: 'fs.writeFile', arguments: { path, content } })

/** What is looked at, as one text. */
function stateOf({ project }: LaidOut): string {
  const at = (name: string): string => {
    const path = join(project, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return 'nothing'
    return stats.isSymbolicLink() ? `-> ${readlinkSync(path)}` : stats.isFile() ? readFileSync(path, 'utf8') : 'directory'
  }
  return ['hermes', 'node', 'sh', 'npm', 'npx'].map(name => `node_modules/.bin/${name}`)
    .concat('node_modules/hermes', '.npmrc', 'package.json').map(name => `${name}: ${at(name)}`).join('\n')
}

/** Each changes something by which `npx hermes` would be another program. */
const ATTACKS: Record<string, string> = {
  'the command itself': 'mkdir -p node_modules/.bin; rm -f node_modules/.bin/hermes; echo evil > node_modules/.bin/hermes; chmod +x node_modules/.bin/hermes',
  'the command as a link': 'mkdir -p node_modules/.bin; ln -sf ../../evil.js node_modules/.bin/hermes',
  'node, sh, npm and npx': 'mkdir -p node_modules/.bin; for p in node sh npm npx; do echo evil > node_modules/.bin/$p; chmod +x node_modules/.bin/$p; done',
  'node-options': 'echo "node-options=--require ./evil.js" >> .npmrc',
  'script-shell': 'echo "script-shell=./evil.sh" > .npmrc',
  'a setting in another spelling': `printf '%s\\n' '"Node_Options" = --require ./evil.js' 'userconfig=./x' '\${X}call=evil' >> .npmrc`,
  'names that npm cuts': `printf '%s\\n' 'node-options;x=--require ./evil.js' 'node-options#y=--require ./evil.js' "'\\"node-options\\"'=--require ./evil.js" >> .npmrc`,
  'where code is fetched from': 'printf "%s\\n" @x:registry=http://evil.example/ registry=http://evil.example/ >> .npmrc',
  'a section around what was there': `printf '[x]\\n%s' "$(cat .npmrc)" > .npmrc`,
  'bin of the manifest': `printf '{"name":"project","bin":{"hermes":"evil.js"}}' > package.json`,
  'a name and bin of the manifest': `printf '{"name":"@x/hermes","bin":"evil.js"}' > package.json`,
  'bin twice': `printf '{"bin":{"other":"./other.js"},"bin":{"./a/hermes":"evil.js"}}' > package.json`,
}

describe.skipIf(process.platform === 'win32').each(users)('the next start, $name', ({ uid }) => {
  it.each(spread(Object.entries(ATTACKS), 4))('%s: put back, told, and in no commit', (_, command) => {
    const place = laidOut('project')
    const before = stateOf(place)
    const { results, warnings } = apply(place, [shell(command), write('a.txt', 'a')], uid, '--sandbox', 'none')
    expect(results.map(({ success }) => success)).toEqual([true, true])
    expect(commandOf(stateOf(place))).toEqual(commandOf(before))
    expect(warnings?.join('\n')).toMatch(/^POLICY_DENIED: The run changed .*: put back\. .*npm install -g/)
    expect(git(place, 'show', '--name-only', '--format=', 'HEAD').trim().split('\n').filter(name => name !== 'package.json'))
      .toEqual(['a.txt'])
    expect(git(place, 'show', 'HEAD:.npmrc')).toBe('registry=https://registry.example/\nscript-shell=/bin/sh\n')
  })

  it.each(spread(['pnpm', 'global'] as const, 2))('%s: all at once, where there was a command and where there was none', layout => {
    const place = laidOut(layout)
    const before = stateOf(place)
    const all = ['the command itself', 'node, sh, npm and npx', 'node-options', 'bin of the manifest']
    apply(place, all.map(name => shell(ATTACKS[name] ?? '')), uid, '--sandbox', 'none')
    expect(commandOf(stateOf(place))).toEqual(commandOf(before))
  })

  it('a link in the place of a directory on the way leads nowhere else', () => {
    const place = laidOut('global')
    const command = 'mkdir -p evil/.bin; echo evil > evil/.bin/hermes; ln -s evil node_modules; ln -s /etc/hostname x; rm package.json; ln -s evil/package.json package.json; echo \'{"name":"hermes","bin":"x"}\' > evil/package.json'
    const { warnings } = apply(place, [shell(command)], uid, '--sandbox', 'none')
    expect(existsSync(join(place.project, 'node_modules', '.bin', 'hermes'))).toBe(false)
    expect(readFileSync(join(place.project, 'package.json'), 'utf8')).toBe(MANIFEST)
    expect(warnings).toHaveLength(1)
  })

  it('with all or nothing it is put back as well', () => {
    const place = laidOut('project')
    const before = stateOf(place)
    apply(place, [shell(`${ATTACKS['the command itself']}; ${ATTACKS['node-options']}; exit 1`)], uid, '--sandbox', 'none', '--atomic=files')
    expect(stateOf(place)).toBe(before)
  })

  it('verbs are refused, and may write all else', () => {
    const place = laidOut('project')
    const before = stateOf(place)
    const { results, warnings } = apply(place, [
      write('node_modules/.bin/hermes', 'x'), write('node_modules/.bin/node', 'x'), write('.npmrc', 'x'),
      write('node_modules/hermes/dist/cli.cjs', 'x'), write('sub/node_modules/.bin/sh', 'x'),
      write('package.json', '{"name":"project","bin":{"hermes":"x"}}'),
      { verb: 'fs.deleteDirectory', arguments: { path: 'node_modules' } },
    ], uid)
    expect(results.map(({ code }) => code)).toEqual(results.map(() => 'POLICY_DENIED'))
    expect(stateOf(place)).toBe(before)
    expect(warnings).toBeUndefined()
    const written = apply(place, [
      write('package.json', MANIFEST.replace('{}', '{ "test": "true" }')), write('node_modules/.bin/other', 'x'),
    ], uid)
    expect(written.results.map(({ success }) => success)).toEqual([true, true])
    expect(written.warnings).toBeUndefined()
  })

  it('other changes of the same files stay, and are in the commit', () => {
    const place = laidOut('project')
    const command = `sed -i 's/"scripts": {}/"scripts": { "test": "true" }, "directories": { "bin": "x" }/; s/"other": ".\\/other.js"/"hermes": "x"/' package.json`
      + '; echo fund=false >> .npmrc; echo script-shell=evil >> .npmrc'
    const { warnings } = apply(place, [shell(command)], uid, '--sandbox', 'none')
    expect(warnings?.[0]).toContain('.npmrc (script-shell), package.json (bin)')
    const committed = git(place, 'show', 'HEAD:package.json')
    expect(JSON.parse(committed)).toEqual({ name: 'project', bin: { other: './other.js' }, scripts: { test: 'true' } })
    expect(committed).toContain('\n\t"name"')
    expect(git(place, 'show', 'HEAD:.npmrc').split('\n')).toEqual(
      expect.arrayContaining(['registry=https://registry.example/', 'script-shell=/bin/sh', 'fund=false']),
    )
    expect(git(place, 'show', 'HEAD:.npmrc')).not.toContain('evil')
  })

  for (const [sandbox, needs] of SANDBOXES) needing(...needs).it(`in ${sandbox}: also in workspaces, between them and the root, and in one that the run made`, () => {
    const place = laidOut('project')
    writeFileSync(join(place.project, 'package.json'), '{"name": "project", "workspaces": ["./packages/*/"]}')
    mkdirSync(join(place.project, 'packages', 'app', 'src'), { recursive: true })
    const app = join(place.project, 'packages', 'app')
    writeFileSync(join(app, 'package.json'), '{"name": "app", "bin": {"other": "x"}}')
    const plant = (...directories: string[]) => shell(directories.map(name => (
      `mkdir -p ${name}/node_modules/.bin; printf '#!/bin/sh\\necho evil\\n' > ${name}/node_modules/.bin/hermes; chmod +x ${name}/node_modules/.bin/hermes`
    )).join('; '))
    const { warnings } = apply(place, [
      plant('packages/app', 'packages', 'packages/new'),
      shell(`echo script-shell=./evil > packages/app/.npmrc; echo '{"name": "app", "bin": {"hermes": "x"}}' > packages/app/package.json`),
      shell(`echo registry=http://evil.example/ > packages/new/.npmrc; echo '{"name": "hermes", "bin": "evil.js"}' > packages/new/package.json`),
    ], uid, '--sandbox', sandbox)
    const told = warnings?.join('\n')
    for (const name of ['packages', 'packages/app', 'packages/new']) {
      expect(existsSync(join(place.project, name, 'node_modules', '.bin', 'hermes'))).toBe(false)
      expect(told).toContain(`${name}/node_modules/.bin/hermes`)
    }
    expect([existsSync(join(app, '.npmrc')), existsSync(join(place.project, 'packages/new/.npmrc'))]).toEqual([false, false])
    expect(readFileSync(join(app, 'package.json'), 'utf8')).toContain('"other"')
    expect(readFileSync(join(place.project, 'packages/new/package.json'), 'utf8')).not.toContain('bin')
    for (const name of ['app', 'app/src', 'new']) expect(npx({ ...place, project: join(place.project, 'packages', name) })).toMatch(/^\d+\.\d+/)
  })

  needing('bubblewrap').it('in the sandbox: what a command can change is put back, hermes itself it cannot', () => {
    const place = laidOut('project')
    const before = stateOf(place)
    const { results } = apply(place, [
      ...Object.values(ATTACKS).filter(command => !command.includes('package.json')).map(shell),
      shell('echo evil > node_modules/hermes/dist/cli.cjs'), shell('mv node_modules/hermes x'), shell('rm -rf node_modules'),
    ], uid)
    expect(results.slice(-3).map(({ success }) => success)).toEqual([false, false, false])
    expect(stateOf(place)).toBe(before)
  })

  it.each(spread([
    'node-options;x=--require ./evil.js', 'node-options#y=--require ./evil.js', `'"node-options"'=--require ./evil.js`,
  ], 3))('%s: the next npx hermes loads nothing by it', line => {
    const place = laidOut('project')
    const made = join(place.project, 'made')
    writeFileSync(join(place.project, 'evil.js'), `require('fs').writeFileSync(${JSON.stringify(made)}, '')`)
    apply(place, [shell(`cat > .npmrc <<'END'\n${line}\nEND`)], undefined, '--sandbox', 'none')
    expect(npx(place)).toMatch(/^\d+\.\d+/)
    expect(existsSync(made)).toBe(false)
    // What it guards against, so that this test can fail.
    writeFileSync(join(place.project, '.npmrc'), `${line}\n`)
    npx(place)
    expect(existsSync(made)).toBe(true)
  })

  it('npm install of another package works, and nothing is said of it', () => {
    const place = laidOut('project')
    mkdirSync(join(place.project, 'local'))
    writeFileSync(join(place.project, 'local', 'package.json'), '{"name": "local", "version": "1.0.0", "bin": "x.js"}')
    writeFileSync(join(place.project, 'local', 'x.js'), '#!/usr/bin/env node\n')
    const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
    const { results, warnings } = apply(place, [
      shell(`PATH=$PATH:${dirname(npm)}:${dirname(process.execPath)} npm install --offline --no-audit --no-fund --no-prune ./local`),
    ], uid, '--sandbox', 'none')
    expect(results).toMatchObject([{ success: true }])
    expect(warnings?.filter(warning => warning.startsWith('POLICY_DENIED')) ?? []).toEqual([])
    expect(existsSync(join(place.project, 'node_modules', '.bin', 'local'))).toBe(true)
  })
})

/** Of the state what decides, without other parts of the files that commands above replace. */
function commandOf(state: string): string[] {
  return state.split('\n').filter(line => /^node_modules|script-shell|node.options|userconfig|call|"(?:[^"]*\/)?hermes"\s*:/i.test(line))
}
