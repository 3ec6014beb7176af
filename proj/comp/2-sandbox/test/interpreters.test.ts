import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { hiddenCredentials } from '../src/credentials.js'
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
    [
      'pyenv', { '.pyenv/shims/python': '', '.pyenv/versions/3.12/bin/python': '', '.pyenv/version': '', '.pyenv/.git/config': '' },
      '~/.pyenv/shims', ['~/.pyenv/shims', '~/.pyenv/version', '~/.pyenv/versions'],
    ],
    ['nvm', { '.nvm/versions/node/v20/bin/node': '', '.nvm/versions/node/v20/lib/x': '' }, '~/.nvm/versions/node/v20/bin', ['~/.nvm/versions/node/v20']],
    [
      'volta', { '.volta/bin/node': '->~/.volta/bin/volta-shim', '.volta/bin/volta-shim': '', '.volta/tools/image/node/20/bin/node': '' },
      '~/.volta/bin', ['~/.volta/bin', '~/.volta/tools'],
    ],
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
    ['a link of links', { 'bin/a': '->~/b/bin/b', 'b/bin/b': '->~/c/bin/c', 'c/bin/c': '' }, '~/bin', ['~/bin', '~/c/bin']],
    ['what the root shows anyway', { 'project/.venv/bin/python': '' }, '~/project/.venv/bin', []],
    ['relative entries', { 'bin/tool': '' }, 'bin:.::~/bin', ['~/bin']],
    ['what is not there', {}, '~/nowhere/bin', []],
    ['a directory that is a link', { 'current': '->~/versions/1', 'versions/1/bin/tool': '' }, '~/current/bin', ['~/versions/1/bin']],
    // Next to the programs of these lie keys, or all of a user's work.
    ...['.fly', '.pulumi', '.docker', 'code'].map((name): [string, Record<string, string>, string, string[]] => [
      `a directory of the home with bin: ${name}`, { [`${name}/bin/tool`]: '', [`${name}/config.json`]: '', [`${name}/lib/notes`]: '' },
      `~/${name}/bin`, [`~/${name}/bin`],
    ]),
    ['a directory of another name: its programs', { 'code/tool': '', 'code/sub/key': '' }, '~/code', ['~/code/tool']],
    ['a link to a program among files', { 'bin/fly': '->~/.fly/flyctl', '.fly/flyctl': '', '.fly/config.yml': '' }, '~/bin', ['~/.fly/flyctl', '~/bin']],
    ['a link into a package', { 'bin/t': '->~/code/t/dist/cli.js', 'code/t/dist/cli.js': '', 'code/t/package.json': '', 'code/key': '' }, '~/bin', ['~/bin', '~/code/t']],
    [
      'npm, with a prefix of its own', {
        '.npm-global/bin/tsc': '->~/.npm-global/lib/node_modules/typescript/bin/tsc',
        '.npm-global/lib/node_modules/typescript/bin/tsc': '', '.npm-global/.npmrc': '',
      }, '~/.npm-global/bin', ['~/.npm-global/bin', '~/.npm-global/lib/node_modules'],
    ],
    ['fnm', {
      '.local/share/fnm/node-versions/v20/installation/bin/node': '', '.local/share/fnm/aliases/x': '',
      '.local/state/fnm_multishells/1': '->~/.local/share/fnm/node-versions/v20/installation',
    }, '~/.local/state/fnm_multishells/1/bin', ['~/.local/share/fnm/node-versions/v20/installation']],
    ['asdf', { '.asdf/shims/node': '', '.asdf/installs/nodejs/20/bin/node': '', '.asdf/bin/asdf': '', '.tool-versions': '', '.asdf/tmp/x': '' },
      '~/.asdf/shims', ['~/.asdf/bin', '~/.asdf/installs', '~/.asdf/shims', '~/.tool-versions']],
    ['mise', { '.local/share/mise/shims/node': '->~/.local/bin/mise', '.local/bin/mise': '', '.local/share/mise/installs/node/20/bin/node': '' },
      '~/.local/share/mise/shims', ['~/.local/bin', '~/.local/share/mise/installs', '~/.local/share/mise/shims']],
    ['conda', { 'miniconda3/condabin/conda': '', 'miniconda3/conda-meta/history': '', 'miniconda3/bin/python': '', 'miniconda3/lib/x': '', 'miniconda3/.condarc': '' },
      '~/miniconda3/condabin', ['~/miniconda3/bin', '~/miniconda3/conda-meta', '~/miniconda3/condabin', '~/miniconda3/lib']],
    ['go', { 'sdk/go1/bin/go': '', 'sdk/go1/VERSION': '', 'sdk/go1/pkg/tool/x': '', 'sdk/go1/src/x': '', 'go/bin/t': '', 'go/src/mine': '', 'go/pkg/mod/x': '' },
      '~/sdk/go1/bin:~/go/bin', ['~/go/bin', '~/go/pkg/mod', '~/sdk/go1/VERSION', '~/sdk/go1/bin', '~/sdk/go1/pkg', '~/sdk/go1/src']],
    ['deno and bun', { '.deno/bin/deno': '', '.deno/x': '', '.bun/bin/bun': '', '.bun/install/global/node_modules/x': '', '.bun/install/cache/x': '' },
      '~/.deno/bin:~/.bun/bin', ['~/.bun/bin', '~/.bun/install/global', '~/.deno/bin']],
    ['sdkman', { '.sdkman/candidates/java/17/bin/java': '', '.sdkman/candidates/java/current': '->~/.sdkman/candidates/java/17', '.sdkman/etc/config': '' },
      '~/.sdkman/candidates/java/current/bin', ['~/.sdkman/candidates/java/17']],
    ['rbenv', { '.rbenv/shims/ruby': '', '.rbenv/versions/3/bin/ruby': '', '.rbenv/bin/rbenv': '->~/.rbenv/libexec/rbenv', '.rbenv/libexec/rbenv': '' },
      '~/.rbenv/shims', ['~/.rbenv/bin', '~/.rbenv/libexec', '~/.rbenv/shims', '~/.rbenv/versions']],
  ] as [string, Record<string, string>, string, string[]][])('%s', (_, programs, path, expected) => {
    const home = makeHome(programs)
    expect(shown(home, path, ['~/project'])).toEqual(expected)
  })
})

describe('credentials are covered', () => {
  const covered = (home: string, prefixes: string[], writable: string[] = []): string[] => (
    hiddenCredentials(home, prefixes.map(one => one.replace('~', home)), writable.map(one => one.replace('~', home)))
      .map(({ kind, at }) => `${kind} ${at.replace(home, '~')}`).sort()
  )

  it('in what is shown for programs, by their names and by the places of the home', () => {
    const home = makeHome({
      '.cargo/bin/cargo': '', '.cargo/bin/credentials.toml': '', '.pyenv/versions/3/.netrc': '', '.pyenv/versions/3/lib/python3/token.py': '',
      '.local/bin/.npmrc': '', '.local/bin/.aws/credentials': '', '.local/bin/id_rsa': '', '.local/bin/api-token.json': '',
      '.local/lib/node_modules/x/credentials.json': '', '.ssh/id': '', '.fly/bin/fly': '',
    })
    chmodSync(join(home, '.local/bin/.npmrc'), 0o600)
    for (const name of ['.cargo/bin/credentials.toml', '.local/bin/id_rsa', '.local/bin/api-token.json']) chmodSync(join(home, name), 0o600)
    expect(covered(home, ['~/.cargo/bin', '~/.pyenv/versions', '~/.local/bin', '~/.local/lib'])).toEqual([
      'blank ~/.cargo/bin/credentials.toml', 'blank ~/.local/bin/.npmrc', 'blank ~/.local/bin/api-token.json',
      'blank ~/.local/bin/id_rsa', 'blank ~/.pyenv/versions/3/.netrc', 'memory ~/.local/bin/.aws',
    ])
  })

  it('in a root that is the home or holds it, but not in a root that is one of them', () => {
    const home = makeHome({ '.ssh/id': '', '.docker/config.json': '', '.netrc': '', 'project/.npmrc': '' })
    const all = ['blank ~/.netrc', 'memory ~/.docker', 'memory ~/.ssh']
    expect(covered(home, [], ['~'])).toEqual(all)
    expect(covered(home, [], [dirname(home)])).toEqual(all)
    expect(covered(home, [], ['~/project'])).toEqual([])
    expect(covered(home, [], ['~/.docker'])).toEqual([])
  })

  it('where a link leads to them', () => {
    const home = makeHome({ 'dotfiles/aws/credentials': '', '.aws': '->~/dotfiles/aws' })
    expect(covered(home, [], ['~'])).toEqual(['memory ~/dotfiles/aws'])
  })
})
