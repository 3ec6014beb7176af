import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'skills',
  summary: 'List the skills a model can read, show one, make one, or check them',
  usage: ['skills list [options]', 'skills show NAME [FILE]', 'skills new NAME [options]', 'skills check [options]'],
  about: `
  A skill is a folder with a SKILL.md. The project has them in skills/ and .hermes/skills/, you in ~/.hermes/skills/; of
  two with the same name the project's counts. check tells of folders that cannot be used.
  `,
  maxPositionals: 3,
  flags: [
    { name: 'root', value: 'DIR', help: 'Directory of the project (default: the working directory)' },
    { name: 'category', value: 'NAME', help: 'list: only of this category; new: the folder it goes into' },
    { name: 'user', help: 'new: in ~/.hermes/skills, in place of skills/ of the project' },
    JSON_FLAG,
  ],
  example: { line: 'hermes skills new release-notes', does: 'makes skills/release-notes/SKILL.md, to be filled in' },
  exits: [[0, 'done'], [1, 'check: a folder cannot be used'], [2, 'wrong usage, or no such skill']],
  load: async () => (await import('./run.js')).skills,
}
