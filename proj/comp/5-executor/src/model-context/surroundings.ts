import { HermesError, isRecord, type VerbContext } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { operatingSystem, sessionSkills, type Skill } from '../../../4-verb-session/src/index.js'
import { VERBS } from '../verbs/index.js'
import { BACKEND_FACTS } from './backend-facts.js'
import { projectNotes } from './project-notes.js'

/** Most skills that are named; skills_list has all. */
const MOST_SKILLS = 30
const LONGEST_SKILL = 120

/** What is told of a skill. */
type SkillLine = Pick<Skill, 'name' | 'description'>

/**
 * Where a model works, as sections of its first prompt: machine, date, project, git, sandbox, skills, and the notes
 * that the project has for it.
 *
 * @param mask takes out secrets
 * @param given the skills, where they are known
 */
export async function surroundings(
  context: VerbContext, mask: (text: string) => string, given?: readonly SkillLine[],
): Promise<string> {
  const { session: { root }, elsewhere } = context
  const [git, commands, skills, notes] = await Promise.all([
    gitFacts(context), commandFacts(context), skillLines(context, given), projectNotes(context, mask),
  ])
  const today = `Today is ${new Date().toLocaleDateString('sv')}.`
  const place = `The project is ${escapeControls(root)}; relative paths start there.`
  const facts = [
    ...(elsewhere ? [
      `${today} You work on the host ${escapeControls(elsewhere.host)}, by ssh: all files and all commands are there.`,
      `${place} What is changed there cannot be taken back by hermes.`,
    ] : [`${today} The system is ${escapeControls(operatingSystem())}.`, `${place}${git}`]),
    ...commands,
  ]
  const sections = [
    `## Where you work\n\n${facts.map((line) => `- ${line}`).join('\n')}`,
    skills, notes,
  ]
  return sections.filter((one) => one !== '').join('\n\n')
}

/** As `git_status` tells it, to which no repository is trusted. */
async function gitFacts(context: VerbContext): Promise<string> {
  if (context.policy.verbs.git.value === 'off' || context.elsewhere) return ''
  const verb = await new VerbRegistry(VERBS).load('git_status')
  try {
    const limits = { ...context.limits, commandTimeoutMs: GIT_MS }
    const status = await verb?.handler({} as never, { ...context, limits })
    if (!isRecord(status)) return ''
    const count = (key: string): number => (Array.isArray(status[key]) ? status[key].length : 0)
    const parts = [
      [count('staged') + count('unstaged'), 'changed'], [count('untracked'), 'new'],
      [count('conflicted'), 'in conflict'],
    ].filter(([number]) => number !== 0).map(([number, word]) => `${number} ${word}`)
    const branch = typeof status['branch'] === 'string' ? `on the branch ${escapeControls(status['branch'])}`
      : 'on no branch'
    const files = parts.length === 0 ? 'nothing is uncommitted' : `uncommitted files: ${parts.join(', ')}`
    return ` Git is ${branch}; ${files}.`
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return error.code === 'NOT_A_REPOSITORY' ? ' It is in no git repository.' : ''
  }
}

/** In a repository that git takes longer for, a model can ask for the status itself. */
const GIT_MS = 3000

async function commandFacts({ policy, limits, sandbox }: VerbContext): Promise<string[]> {
  const { exec, network } = policy.verbs
  if (exec.value === 'off') return ['Commands are switched off.']
  const { backend = 'local' } = policy.terminal
  const time = `A command may take ${limits.commandTimeoutMs / 1000} s where its call asks for no other time.`
  const reach = network.value === 'on' ? 'They reach the network.' : 'They have no network.'
  if (backend !== 'local') return [`${BACKEND_FACTS[backend]({ terminal: policy.terminal, reach })} ${time}`]
  if (policy.sandbox.value === 'none') return [`Commands run without a sandbox, as the user. ${time}`]
  const problem = await sandbox.problem()
  if (problem !== undefined) {
    const why = `(${escapeControls(problem)})`
    return [policy.sandbox.value === 'auto'
      ? `No sandbox works here ${why}: a command runs only where the user approves it, and then as the user. ${time}`
      : `Commands do not run: the sandbox ${policy.sandbox.value} does not work here ${why}.`]
  }
  return [
    'Commands run in a sandbox: they change the project and temporary files, and nothing else. '
      + `${reach} Nobody answers what they ask. ${time}`,
  ]
}

/** @param given those that were found here: on another machine are others */
async function skillLines(context: VerbContext, given: readonly SkillLine[] | undefined): Promise<string> {
  const skills = context.elsewhere === undefined && given ? given : (await sessionSkills(context)).skills
  if (skills.length === 0) return ''
  const lines = skills.slice(0, MOST_SKILLS).map(({ name, description }) => (
    `- ${name}: ${clip(escapeControls(description), LONGEST_SKILL)}`
  ))
  const more = skills.length > MOST_SKILLS ? `\n\n${skills.length - MOST_SKILLS} more: skills_list.` : ''
  return `## Skills\n\nKnowledge for tasks of a kind; skill_view shows one.\n\n${lines.join('\n')}${more}`
}
