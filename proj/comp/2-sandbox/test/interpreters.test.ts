import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { pathPrefixes } from '../src/path-prefixes.js'

/** A home with these programs; a value that begins with `->` is a link. */
function makeHome(programs: Record<string, string>): string {
  const home = tempDir()
  for (const [path, content] of Object.entries(programs)) {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    if (content.startsWith('->')) symlinkSync(content.slice(2).replace('~', home), file)
    else {
      writeFileSync(file, content)
      chmodSync(file, 0o755)
    }
  }
  return home
}

/** What is shown of a home for a PATH within it, both written with `~`. */
function shown(home: string, path: string, covered: string[] = []): string[] {
  return pathPrefixes(path.replaceAll('~', home), home, covered.map(one => one.replace('~', home)), [])
    .map(one => one.replace(home, '~')).sort()
}

describe('what is shown of a home for the programs in PATH', () => {
  it.each([
    ['pyenv', { '.pyenv/shims/python': '', '.pyenv/versions/3.12/bin/python': '' }, '~/.pyenv/shims', ['~/.pyenv']],
    ['nvm', { '.nvm/versions/node/v20/bin/node': '', '.nvm/versions/node/v20/lib/x': '' }, '~/.nvm/versions/node/v20/bin', ['~/.nvm/versions/node/v20']],
    ['volta', { '.volta/bin/node': '->~/.volta/bin/volta-shim', '.volta/bin/volta-shim': '' }, '~/.volta/bin', ['~/.volta']],
    [
      'cargo, without its token', {
        '.cargo/bin/cargo': '', '.cargo/credentials.toml': '', '.cargo/registry/x': '', '.rustup/toolchains/stable/bin/cargo': '',
        '.rustup/settings.toml': '',
      }, '~/.cargo/bin', ['~/.cargo/bin', '~/.cargo/registry', '~/.rustup/settings.toml', '~/.rustup/toolchains'],
    ],
    [
      'pipx, by the links in ~/.local/bin', {
        '.local/bin/tool': '->~/.local/share/pipx/venvs/tool/bin/tool', '.local/share/pipx/venvs/tool/bin/tool': '',
        '.local/share/keyrings/login.keyring': '', '.local/lib/python3/x': '',
      }, '~/.local/bin', ['~/.local/bin', '~/.local/lib', '~/.local/share/pipx/venvs/tool'],
    ],
    ['a directory that is the home itself', { 'tool': '', '.ssh/id': '' }, '~', []],
    ['a directory above the home', {}, '~/..', []],
    ['a bin directory of the home', { 'bin/tool': '', '.ssh/id': '' }, '~/bin', ['~/bin']],
    ['a link to a file in the home', { 'bin/tool': '->~/tool', 'tool': '', '.ssh/id': '' }, '~/bin', ['~/bin', '~/tool']],
    ['a link of links', { 'bin/a': '->~/b/bin/b', 'b/bin/b': '->~/c/bin/c', 'c/bin/c': '' }, '~/bin', ['~/bin', '~/c']],
    ['what the root shows anyway', { 'project/.venv/bin/python': '' }, '~/project/.venv/bin', []],
    ['relative entries', { 'bin/tool': '' }, 'bin:.::~/bin', ['~/bin']],
    ['what is not there', {}, '~/nowhere/bin', []],
    ['a directory that is a link', { 'current': '->~/versions/1', 'versions/1/bin/tool': '' }, '~/current/bin', ['~/versions/1']],
  ] as [string, Record<string, string>, string, string[]][])('%s', (_, programs, path, expected) => {
    const home = makeHome(programs)
    expect(shown(home, path, ['~/project'])).toEqual(expected)
  })
})
