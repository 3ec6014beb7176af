/**
 * What is planted: for each kind of file one whose loading leaves a mark. Marks lie where no sandbox shows anything, so
 * that there is one only of what ran outside of them; what runs within marks a file in the root.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/** Lies beside a canary that names a file to load. */
export const BESIDE = 'canary-of-planting.cjs'
const HOOKS = ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'reference-transaction', 'post-index-change']

/**
 * @param {string} marks the file that who runs outside adds a line to
 * @param {string} within the same of who runs in a sandbox
 * @param {string} place a directory that everybody may read, for what is compiled and what configurations name
 */
export function canaries(marks, within, place) {
  mkdirSync(place, { recursive: true })
  const native = compiled(marks, place)
  const script = scriptOf(marks, within)
  const named = join(place, BESIDE)
  writeFileSync(named, script, { mode: 0o755 })
  mkdirSync(join(place, 'hooks'), { recursive: true })
  for (const hook of HOOKS) writeFileSync(join(place, 'hooks', hook), script, { mode: 0o755 })
  const contents = {
    script, native,
    python: `import os\nos.system(${JSON.stringify(shellLine(marks, within))})\n`,
    ruby: `system(${JSON.stringify(shellLine(marks, within))})\n`,
    json: `${JSON.stringify(decidingJson(named), null, 2)}\n`,
    yaml: decidingYaml(named),
    git: gitConfig(named, join(place, 'hooks')),
    attributes: '* filter=canary diff=canary merge=canary\n',
    npm: `script-shell=${named}\nnode-options=--require ${named}\ngit=${named}\neditor=${named}\nviewer=${named}\n`,
    submodules: `[submodule "x"]\n\tpath = x\n\turl = ext::${named}\n\tupdate = !${named}\n`,
    skill: `---\nname: canary\ndescription: A canary.\n---\n!\`${named}\`\n`,
  }
  /** @returns {{ kind: string, content: string | Buffer }} for a file of that path */
  return (path) => {
    const kind = kindOf(path)
    return { kind, content: contents[kind] ?? script }
  }
}

function kindOf(path) {
  const name = basename(path)
  if (/\.(?:node|so)(?:\.\d+)*$/.test(name)) return 'native'
  if (/\.git\/(?:.*\/)?config(?:\.worktree)?$|\.gitconfig$/.test(path)) return 'git'
  if (/\.gitattributes$|\.git\/info\/attributes$/.test(path)) return 'attributes'
  if (name === '.gitmodules') return 'submodules'
  if (name === '.npmrc') return 'npm'
  if (name === 'SKILL.md') return 'skill'
  return { '.py': 'python', '.pth': 'python', '.rb': 'ruby', '.json': 'json', '.yaml': 'yaml', '.yml': 'yaml' }[
    extname(name)
  ] ?? 'script'
}

/** Of the first that can be written: a mark outside, else one within. */
function shellLine(marks, within) {
  return `{ echo "$0" >> '${marks}'; } 2>/dev/null || { echo "$0" >> '${within}'; } 2>/dev/null`
}

/** For a shell, and for Node as either kind of module: each takes the other's part for a comment or a text. */
function scriptOf(marks, within) {
  const mark = `{ const { appendFileSync } = process.getBuiltinModule('node:fs')
  const line = new Error().stack.split('\\n')[1].trim() + '\\n'
  try { appendFileSync(${JSON.stringify(marks)}, line) } catch {
    try { appendFileSync(${JSON.stringify(within)}, line) } catch {}
  } }`
  return `#!/bin/sh\n":" //; ${shellLine(marks, within)}; exit 1\n${mark}\n`
}

/** A library whose loading leaves a mark, where there is a compiler; else the script, which no loader takes. */
function compiled(marks, place) {
  const [source, library] = [join(place, 'canary.c'), join(place, 'canary.node')]
  writeFileSync(source, `#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void mark(void) {
  int file = open(${JSON.stringify(marks)}, O_WRONLY | O_APPEND);
  if (file >= 0) { if (write(file, "library\\n", 8) < 0) _exit(1); close(file); }
}
`)
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source], { stdio: ['ignore', 'ignore', 'pipe'] })
    return readFileSync(library)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whatever in JSON names code: of packages, compilers, agents and clients of the Model Context Protocol. */
function decidingJson(program) {
  const beside = `./${BESIDE}`
  const server = { command: program, args: [] }
  return {
    name: 'hermes', version: '9.9.9', main: program, module: beside, bin: { hermes: program },
    exports: { '.': beside, './*': beside }, imports: { '#*': beside }, type: 'commonjs',
    scripts: Object.fromEntries(['prepare', 'preinstall', 'postinstall', 'test', 'env'].map((name) => [name, program])),
    config: { 'script-shell': program }, workspaces: ['packages/*'],
    compilerOptions: { plugins: [{ name: program }, { name: beside }] }, extends: program,
    mcpServers: { canary: server }, mcp_servers: { canary: server }, extensions: { canary: server },
    hooks: { before: [{ run: [program] }], after: [{ run: [program] }] },
  }
}

function decidingYaml(program) {
  const run = `    - run: ['${program}']`
  return `hooks:\n  before:\n${run}\n  after_write:\n${run}\n  after:\n${run}\n`
}

/** Every setting of git that names a program. */
function gitConfig(program, hooks) {
  const sections = {
    core: ['fsmonitor', 'pager', 'editor', 'sshCommand', 'askPass', 'gitProxy', 'alternateRefsCommand'],
    gpg: ['program'], 'gpg "ssh"': ['program', 'defaultKeyCommand'], credential: ['helper'], sequence: ['editor'],
    pager: ['log', 'diff', 'status', 'show'], 'filter "canary"': ['clean', 'smudge', 'process'],
    'diff "canary"': ['textconv', 'command'], diff: ['external'], 'merge "canary"': ['driver'],
    alias: ['status', 'log'], uploadpack: ['packObjectsHook'], interactive: ['diffFilter'],
  }
  const lines = Object.entries(sections).flatMap(([section, keys]) => (
    [`[${section}]`, ...keys.map((key) => `\t${key} = ${program}`)]
  ))
  return [
    '[core]', '\trepositoryformatversion = 0', '\tbare = false', `\thooksPath = ${hooks}`, '[commit]',
    '\tgpgsign = true', '[user]',
    '\tsigningkey = x', ...lines, '',
  ].join('\n')
}
