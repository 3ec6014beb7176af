import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { makeRepository } from './escapes.js'
import { command, SANDBOXES, spreadIn, Stage } from './stage.js'

const program = useProgram(new URL('./run-commands.ts', import.meta.url))
const WRITE = command('echo changed > file.txt')
const STATUS = '<tool_call>{"name": "git_status", "arguments": {}}</tool_call>\n'
const TRUE = '#!/bin/sh\ntrue\n'

/** Programs that git runs for hermes, which a block or a command can reach: none may run outside of the sandbox. */
interface Plan {
  name: string
  prepare(stage: Stage): void
  /** One run each; `evil` is a command line that leaves a mark outside of the root. */
  answers(evil: string, stage: Stage): string[]
  /** Where it is no command that does it, it is as harmless without a sandbox. */
  isHarmless?: true
}

function write(path: string, content: string): string {
  return `<tool_call>${JSON.stringify({ name: 'fs.writeFile', arguments: { path, content } })}</tool_call>\n`
}

function commitAll(stage: Stage): void {
  makeRepository(stage)
  stage.git('add', '-A')
  stage.git('commit', '-qm', 'all', '--allow-empty')
}

/** A repository in the work tree, with a filter of its own for each file. */
function nested(evil: string): string {
  return 'git init -q . && git config user.name a && git config user.email a@b && echo s > s.txt'
    + ` && echo '* filter=evil' > .gitattributes && git add -A && git commit -qm x && git config filter.evil.clean '${evil}; cat'`
}

const PLANS: readonly Plan[] = [
  {
    name: 'a filter of a nested repository',
    prepare: makeRepository,
    answers: evil => [
      command(`mkdir sub && cd sub && ${nested(evil)}; echo x > ../file.txt`),
      command('echo more >> sub/s.txt; echo y > file.txt'), STATUS,
    ],
    isHarmless: true,
  },
  {
    name: 'a filter of a repository that was put in the place of a submodule',
    prepare(stage) {
      makeRepository(stage)
      stage.plant('project/lib/s.txt', 's')
      stage.handOver()
      stage.git('-C', 'lib', 'init', '-q')
      stage.git('-C', 'lib', 'add', '-A')
      stage.git('-C', 'lib', 'commit', '-qm', 's')
      stage.git('add', 'lib')
      stage.git('commit', '-qm', 'lib')
    },
    answers: evil => [
      command(`cd lib && rm -rf .git && ${nested(evil)}; echo x > ../file.txt`),
      command('echo more >> lib/s.txt; echo y > file.txt'), STATUS,
    ],
    isHarmless: true,
  },
  {
    name: 'a filter of a nested repository, when there is nothing to commit after all',
    prepare(stage) {
      stage.plant('project/.gitattributes', '*.txt text eol=lf\n')
      commitAll(stage)
    },
    answers: evil => [
      command(`mkdir sub && cd sub && ${nested(evil)}; echo x > ../file.txt`),
      command('echo more >> sub/s.txt'), write('file.txt', 'x\r\n'),
      '<tool_call>{"name": "git_commit", "arguments": {"message": "x", "files": ["file.txt"]}}</tool_call>\n',
      '<tool_call>{"name": "git_commit", "arguments": {"message": "x", "all": true}}</tool_call>\n',
    ],
    isHarmless: true,
  },
  {
    name: 'a git in a directory of PATH that is in the root',
    prepare(stage) {
      makeRepository(stage)
      stage.env['PATH'] = `${stage.root}/node_modules/.bin:node_modules/.bin:${stage.env['PATH']}`
    },
    answers: evil => [
      command(`mkdir -p node_modules/.bin && printf '#!/bin/sh\\n${evil}\\nexec /usr/bin/git "$@"\\n' > node_modules/.bin/git`
        + ' && chmod +x node_modules/.bin/git'), WRITE,
    ],
    isHarmless: true,
  },
  {
    name: 'a script of the project that a hook of the user runs, changed by a command',
    prepare(stage) {
      stage.plant('project/check.sh', 'true\n')
      commitAll(stage)
      stage.plant('project/.git/hooks/pre-commit', '#!/bin/sh\nsh check.sh\n', 0o755)
    },
    answers: evil => [command(`echo '${evil}' > check.sh`)],
  },
  {
    name: 'a script of the project that a hook of the user runs, changed by a verb',
    prepare(stage) {
      stage.plant('project/check.sh', 'true\n')
      commitAll(stage)
      stage.plant('project/.git/hooks/commit-msg', '#!/bin/sh\nsh check.sh\n', 0o755)
    },
    answers: evil => [write('check.sh', `${evil}\n`), WRITE],
  },
  {
    name: 'a script that a hook runs, by git_commit',
    prepare(stage) {
      stage.plant('project/check.sh', 'true\n')
      commitAll(stage)
      stage.plant('project/.git/hooks/pre-commit', '#!/bin/sh\nsh check.sh\n', 0o755)
    },
    answers: evil => [
      `${write('check.sh', `${evil}\n`)}<tool_call>{"name": "git_commit", "arguments": {"message": "x", "all": true}}</tool_call>\n`,
    ],
  },
  {
    name: 'a script of the project that is linked as a hook',
    prepare(stage) {
      stage.plant('project/hook.sh', TRUE, 0o755)
      commitAll(stage)
      symlinkSync('../../hook.sh', join(stage.root, '.git', 'hooks', 'pre-commit'))
    },
    answers: evil => [command(`printf '#!/bin/sh\\n${evil}\\n' > hook.sh`), WRITE],
  },
  {
    name: 'hooks of the index, planted by verbs where they may write',
    prepare(stage) {
      stage.plant('project/tools/hooks/post-index-change', TRUE, 0o755)
      stage.plant('project/tools/hooks/reference-transaction', TRUE, 0o755)
      commitAll(stage)
      stage.git('config', 'core.hooksPath', 'tools/hooks')
    },
    answers: evil => [
      write('tools/hooks/post-index-change', `#!/bin/sh\n${evil}\n`) + write('tools/hooks/reference-transaction', `#!/bin/sh\n${evil}\n`),
      WRITE,
    ],
    isHarmless: true,
  },
  {
    name: 'another directory in the place of the one that holds the hooks',
    prepare(stage) {
      stage.plant('project/tools/hooks/pre-commit', TRUE, 0o755)
      commitAll(stage)
      stage.git('config', 'core.hooksPath', 'tools/hooks')
    },
    answers: evil => [
      command(`mv tools old; mkdir -p tools/hooks; printf '#!/bin/sh\\n${evil}\\n' > tools/hooks/pre-commit;`
        + ' chmod +x tools/hooks/pre-commit'), WRITE,
    ],
  },
  {
    name: 'the directory of hooks that was not there yet',
    prepare(stage) {
      makeRepository(stage)
      stage.git('config', 'core.hooksPath', 'tools/hooks')
    },
    answers: evil => [
      command(`mkdir -p tools/hooks; printf '#!/bin/sh\\n${evil}\\n' > tools/hooks/pre-commit; chmod +x tools/hooks/pre-commit`), WRITE,
    ],
  },
  {
    name: 'hooks that the configuration of the user names',
    prepare(stage) {
      stage.plant('project/hooks/pre-commit', TRUE, 0o755)
      commitAll(stage)
      stage.plant('home/.config/git/config', '[core]\n\thooksPath = hooks\n')
    },
    answers: evil => [command(`printf '#!/bin/sh\\n${evil}\\n' > hooks/pre-commit`), WRITE],
  },
  {
    name: 'settings that the configuration includes from the work tree',
    prepare(stage) {
      stage.plant('project/config/git', '[alias]\n')
      commitAll(stage)
      stage.git('config', 'include.path', '../config/git')
    },
    answers: evil => [
      command(`printf '[filter "evil"]\\n\\tclean = ${evil}; cat\\n' > config/git; echo '* filter=evil' > .gitattributes`), WRITE,
    ],
  },
  {
    name: 'settings that the configuration includes, by a verb',
    prepare(stage) {
      stage.plant('project/config/git', '[alias]\n')
      commitAll(stage)
      stage.git('config', 'include.path', '../config/git')
    },
    answers: evil => [
      write('config/git', `[filter "evil"]\n\tclean = ${evil}; cat\n`), write('.gitattributes', '* filter=evil\n'), WRITE,
    ],
    isHarmless: true,
  },
  {
    name: 'a filter that an unpacked repository names',
    prepare(stage) {
      stage.plant('project/.gitattributes', '*.evil filter=evil\n')
      stage.plant('project/a.evil', 'a\n')
      commitAll(stage)
      stage.git('config', 'filter.evil.clean', `touch ${stage.outside}/planted; cat`)
    },
    answers: () => [write('a.evil', 'changed\n')],
  },
  {
    name: 'a process that filters, named by a file which the repository includes',
    prepare(stage) {
      stage.plant('project/.gitattributes', '*.evil filter=evil\n')
      stage.plant('project/a.evil', 'a\n')
      commitAll(stage)
      stage.plant('project/.git/more', `[filter "evil"]\n\tprocess = touch ${stage.outside}/planted\n`)
      stage.git('config', 'include.path', 'more')
    },
    answers: () => [write('a.evil', 'changed\n')],
  },
  {
    name: 'a program that signs, of an unpacked repository',
    prepare(stage) {
      commitAll(stage)
      stage.plant('outside/gpg', `#!/bin/sh\ntouch ${stage.outside}/planted\n`, 0o755)
      stage.git('config', 'commit.gpgSign', 'true')
      stage.git('config', 'gpg.program', `${stage.outside}/gpg`)
    },
    answers: () => [write('file.txt', 'changed\n')],
    isHarmless: true,
  },
  {
    name: 'a script of the project that the filter of a user names',
    prepare(stage) {
      stage.plant('project/.gitattributes', '*.txt filter=own\n')
      stage.plant('project/clean.sh', 'cat\n')
      commitAll(stage)
      stage.git('config', '--global', 'filter.own.clean', 'sh clean.sh')
    },
    answers: evil => [write('clean.sh', `${evil}; cat\n`), write('file.txt', 'changed\n')],
  },
  ...['"/usr/bin/python3" -E -m stripped', `python3 -E -c 'import stripped'`].map((clean): Plan => ({
    name: `a module of the project that a filter of the user finds: ${clean}`,
    prepare(stage) {
      makeRepository(stage)
      stage.git('config', '--global', 'filter.stripped.clean', clean)
      stage.git('config', '--global', 'filter.stripped.smudge', 'cat')
      stage.git('config', '--global', 'filter.stripped.required', 'true')
    },
    answers: evil => [
      write('stripped.py', `import os, sys\nos.system(${JSON.stringify(evil)})\nsys.stdout.write(sys.stdin.read())\n`)
      + write('.gitattributes', '*.nb filter=stripped\n') + write('a.nb', '{}\n'), STATUS,
    ],
  })),
  {
    name: 'a repository whose own directory has another name',
    prepare(stage) {
      makeRepository(stage)
      stage.git('init', '-q', '--separate-git-dir=store')
      stage.plant('project/.gitignore', 'store\n')
      chmodSync(join(stage.root, 'store'), 0o755)
    },
    answers: evil => [
      command(`printf '#!/bin/sh\\n${evil}\\n' > store/hooks/pre-commit; chmod +x store/hooks/pre-commit`), WRITE,
    ],
  },
  {
    name: 'a repository whose own directory has another name, by a verb',
    prepare(stage) {
      makeRepository(stage)
      stage.git('init', '-q', '--separate-git-dir=store')
      stage.plant('project/.gitignore', 'store\n')
    },
    answers: evil => [
      write('store/config', `[core]\n\trepositoryformatversion = 0\n[filter "evil"]\n\tclean = ${evil}; cat\n`),
      write('.gitattributes', '* filter=evil\n'), WRITE,
    ],
    isHarmless: true,
  },
  {
    name: 'settings of the repository, changed by a script that a hook runs',
    prepare(stage) {
      stage.plant('project/check.sh', 'true\n')
      commitAll(stage)
      stage.plant('project/.git/hooks/pre-commit', '#!/bin/sh\nsh check.sh\n', 0o755)
    },
    answers: evil => [
      write('check.sh', [
        `git config filter.evil.clean '${evil}; cat'`, 'echo "* filter=evil" > .git/info/attributes',
        `printf '#!/bin/sh\\n${evil}\\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit`,
        'mkdir -p evil/hooks; cp .git/config evil; echo ../evil > .git/commondir', 'true', '',
      ].join('\n')), WRITE,
    ],
  },
]

describe.skipIf(process.platform !== 'linux')('what git would run for hermes outside of the sandbox, as an unprivileged user:', () => {
  async function runsOutside({ prepare, answers }: Plan, sandbox: 'bwrap' | 'unshare' | 'none', expected: boolean): Promise<void> {
    const stage = new Stage()
    prepare(stage)
    const results = await stage.run(program.path, answers(`touch ${stage.outside}/planted`, stage), { sandbox })
    expect(stage.has('outside/planted'), JSON.stringify(results, null, 1)).toBe(expected)
  }

  for (const [sandbox, needs] of SANDBOXES) {
    needing(...needs).it.each(spreadIn(sandbox, PLANS, 4))(`$name: not out of ${sandbox}`, plan => runsOutside(plan, sandbox, false))
  }

  it.each(spread(PLANS, 8))('$name: without a sandbox', plan => runsOutside(plan, 'none', plan.isHarmless !== true))
})

for (const [sandbox, needs] of spread(SANDBOXES, 2)) needing(...needs).describe(`filters of a repository in ${sandbox}:`, () => {
  async function commitThrough(settings: Record<string, string>) {
    const stage = new Stage()
    stage.plant('project/.gitattributes', '*.up filter=up\n')
    commitAll(stage)
    for (const [name, value] of Object.entries(settings)) stage.git('config', `filter.up.${name}`, value)
    const [result] = await stage.run(program.path, [`${write("it's a.up", 'text\n')}\n${write('plain.txt', 'text\n')}`], { sandbox })
    return { stage, result }
  }

  it('make what is committed, and get the path', async () => {
    const { stage, result } = await commitThrough({ clean: 'sed s,^,100%%, | cat - .gitattributes; echo %f' })
    expect(result, JSON.stringify(result)).toMatchObject({ success: true })
    expect(stage.git('show', "HEAD:it's a.up")).toBe("100%text\n*.up filter=up\nit's a.up\n")
    expect(stage.git('status', '--short', '--', '.gitattributes')).toBe('')
  })

  it('that fail there keep the file, and no other, out of the commit, by name', async () => {
    const { stage, result } = await commitThrough({ clean: `cat ${'/'}root/none && cat` })
    expect(result?.warnings).toEqual([expect.stringMatching(/^Not committed, since the filter up fails: it's a\.up \(/)])
    expect(stage.git('show', '--format=', '--name-only', 'HEAD')).toBe('plain.txt\n')
  })
})

for (const [sandbox, needs] of spread(SANDBOXES, 2, 1)) needing(...needs).describe(`filters of the user in ${sandbox}:`, () => {
  it.each([
    ['python3 -c "print(len(open(\'seen\').read()))"', '3\n'], ['HOME/clean.sh', 'home\n'], ['sed s/text/sed/', 'sed\n'],
  ])('%s makes what is committed', async (clean, committed) => {
    const stage = new Stage()
    stage.plant('project/.gitattributes', '*.up filter=up\n')
    stage.plant('project/seen', 'abc')
    commitAll(stage)
    stage.plant('home/clean.sh', '#!/bin/sh\n[ -f ~/secret.txt ] && echo home\n', 0o755)
    stage.handOver()
    stage.git('config', '--global', 'filter.up.clean', clean.replace('HOME', stage.home))
    const [result] = await stage.run(program.path, [write('a.up', 'text\n')], { sandbox })
    expect(result, JSON.stringify(result)).toMatchObject({ success: true })
    expect(stage.git('show', 'HEAD:a.up')).toBe(committed)
  })
})

for (const [sandbox, needs] of spread(SANDBOXES, 2)) needing(...needs).describe(`hooks of the user in ${sandbox}:`, () => {
  async function commitWith(hooks: Record<string, string>, prepare?: (stage: Stage) => void) {
    const stage = new Stage()
    commitAll(stage)
    prepare?.(stage)
    for (const [name, script] of Object.entries(hooks)) stage.plant(`project/.git/hooks/${name}`, `#!/bin/sh\n${script}\n`, 0o755)
    const [result] = await stage.run(program.path, [write('new.txt', 'new\n')], { sandbox })
    return { stage, result }
  }

  it('format files and stage them, and write the message', async () => {
    const { stage, result } = await commitWith({
      'pre-commit': 'echo formatted >> new.txt && git add new.txt && git stash create && git diff --cached --quiet || true',
      'commit-msg': 'sed -i "s/^AI:/Formatted:/" "$1"',
    })
    expect(result).toMatchObject({ success: true })
    expect(stage.git('log', '-1', '--format=%s')).toMatch(/^Formatted: /)
    expect(stage.git('show', 'HEAD:new.txt')).toBe('new\nformatted\n')
    expect(stage.git('status', '--short')).toBe('')
  })

  it('refuse a commit, and say why', async () => {
    const { stage, result } = await commitWith({ 'pre-commit': 'echo "line 3: no tabs" >&2; exit 1' })
    expect(result?.fatalError).toContain('line 3: no tabs')
    expect(result?.fatalError).toContain('Hooks ran in the sandbox')
    expect(stage.git('log', '-1', '--format=%s')).toBe('all\n')
  })

  it('see neither the home nor the network, and their variables', async () => {
    const { result } = await commitWith({ 'pre-commit': 'ls -A ~; env | grep -c PASSWORD; echo "$GIT_AUTHOR_NAME $GIT_COMMITTER_EMAIL"; exit 1' })
    expect(result?.fatalError).toContain('0 | a a@example.org')
    expect(result?.fatalError).not.toContain('secret')
  })

  it('find the whole work tree where the root is a part of it, and change only the root', async () => {
    const stage = new Stage()
    stage.plant('project/part/a.txt', 'a')
    commitAll(stage)
    stage.plant('project/.git/hooks/pre-commit', '#!/bin/sh\ncat file.txt > part/seen.txt; echo x >> file.txt; git add part/seen.txt\n', 0o755)
    const root = join(stage.root, 'part')
    const [result] = await stage.run(program.path, [write('a.txt', 'b')], { sandbox, root })
    expect(result).toMatchObject({ success: true })
    expect(stage.git('show', 'HEAD:part/seen.txt')).toBe('text\n')
    expect(stage.read('project/file.txt')).toBe('text\n')
  })
})
