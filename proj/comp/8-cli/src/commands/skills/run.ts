import { join } from 'node:path'
import { hermesHome } from '../../../../2-config/src/index.js'
import { plural } from '../../../../1-reports/src/index.js'
import { renderSkill, renderSkills } from '../../../../7-output/src/index.js'
import {
  findSkills, newSkill, skillFile, skillFiles, skillText, type Skill, type Skills,
} from '../../../../4-verb-session/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { asTyped, EXIT, print, printFound, printJson, printRaw, wantsColour } from '../../io/output.js'
import { requireOwnFlags, unknownSubcommand } from '../../subcommand.js'

const ACTIONS = ['list', 'show', 'new', 'check'] as const
/** Flags that only some of the actions take. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = { category: ['list', 'new'], user: ['new'] }
const MOST: Readonly<Record<(typeof ACTIONS)[number], number>> = { list: 1, show: 3, new: 2, check: 1 }
const USAGE = 'Write hermes skills list, show NAME [FILE], new NAME, or check.'

/** `hermes skills`. */
export async function skills(args: Arguments): Promise<number> {
  const [written = 'list', name, file] = args.positionals
  const action = ACTIONS.find(word => word === written)
  if (action === undefined) throw unknownSubcommand('skills', written, ACTIONS, USAGE)
  const surplus = args.positionals[MOST[action]]
  if (surplus !== undefined) throw usageError(`Unexpected argument: ${surplus}`, USAGE)
  requireOwnFlags('skills', action, args, TAKEN_BY, ' and skills ')
  const root = existingRoot(args)
  if (action === 'new') return make(args, root, name)
  const known = await findSkills({ root, home: hermesHome() })
  if (action === 'show') return show(args, known, name, file)
  return action === 'check' ? check(args, known) : list(args, known)
}

function list(args: Arguments, { skills: all, problems }: Skills): number {
  const category = args.value('category')
  const shown = all.filter(skill => category === undefined || skill.category === category)
  return printFound(args, shown.map(asJson), () => (
    asTyped(renderSkills(shown, problems.length, { colour: wantsColour() }))))
}

async function show(
  args: Arguments, { skills: all }: Skills, name: string | undefined, file: string | undefined,
): Promise<number> {
  if (name === undefined) throw usageError('skills show: no NAME given', `${USAGE} hermes skills list shows all names.`)
  const skill = all.find(each => each.name === name)
  if (!skill) throw usageError(
    `Unknown skill: ${name}`, `${didYouMean(name, all.map(each => each.name))}hermes skills list shows all names.`,
  )
  const content = file === undefined ? await skillText(skill) : skillFile(skill, file)
  if (args.has('json')) printJson({ ...asJson(skill), file, content, files: skillFiles(skill) })
  else {
    if (file === undefined) print(`${renderSkill(skill, skillFiles(skill), { colour: wantsColour() })}\n\n`)
    printRaw(shownText(content))
  }
  return EXIT.ok
}

function make(args: Arguments, root: string, name: string | undefined): number {
  if (name === undefined) throw usageError('skills new: no NAME given', USAGE)
  const folder = join(args.has('user') ? hermesHome() : root, 'skills')
  const path = newSkill(folder, name, args.value('category'))
  return printFound(args, { path }, () => (
    `Made ${escapeControls(path)}\nWrite its description, and what a model should know.\n`))
}

function check(args: Arguments, { skills: all, problems }: Skills): number {
  const lines = problems.map(({ path, message }) => `${escapeControls(path)}\n    ${escapeControls(message)}`)
  return printFound(args, { skills: all.length, problems }, () => (
    `${[...lines, `${plural(all.length, 'skill')}, ${plural(problems.length, 'problem')}.`].join('\n')}\n`
  ), problems.length === 0 ? EXIT.ok : EXIT.failed)
}

function asJson({ name, category, description, tags, related, version, source, directory }: Skill) {
  return { name, category, description, tags, related_skills: related, version, source, directory }
}

function shownText(text: string): string {
  const shown = escapeControls(text.replaceAll('\r\n', '\n'), true)
  return shown.endsWith('\n') ? shown : `${shown}\n`
}
