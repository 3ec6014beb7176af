import * as v from 'valibot'
import {
  boundedText, defineVerb, described, path as filePath, HermesError, integer, text, titled, type ApprovedPath,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { readExisting } from '../../../2-files/src/index.js'
import { serverFor, withServer } from '../../../2-language-servers/src/index.js'
import { fullName, identifiersOnLine, languageOf, parseVisible, readName } from '../../../2-syntax/src/index.js'
import { indexOf, type IndexView } from '../../../3-code-index/src/index.js'
import { noServer } from '../problems/no-server.js'
import { writeAll } from '../structural/write-all.js'
import { FileLines } from '../symbols/file-lines.js'
import { placeKey, type NamePlace } from '../symbols/references/candidate.js'
import { resolveReferences } from '../symbols/references/resolve-references.js'
import { planRename, requireUnchanged, type RenamedFile } from './planned-rename.js'

const VERB = 'symbol_rename'
const MOST_UNRENAMED = 50

const result = v.strictObject({
  old_name: text('The name that was replaced.'),
  new_name: text('The name that is there now.'),
  server: text('The language server that named the places.'),
  files: described(v.array(titled('RenamedFile', {
    path: text('The file, relative to the root.'),
    replacements: integer('How many places were changed in it.', 1),
  })), 'The files that were changed, by path.'),
  replacements_made: integer('How many places were changed.', 0),
  unrenamed: v.optional(described(v.array(titled('UnrenamedPlace', {
    path: text('The file, relative to the root.'),
    line: integer('Line, from 1; as it was before the rename.', 1),
    column: integer('Where in the line the name begins, in UTF-16 units from 1.', 1),
    text: text('The line, cut at 500 characters.'),
  })), 'Places where the old name stands on, since the server did not name them and nothing shows that they mean '
    + 'something else; at most 50. Look at them.')),
  total_unrenamed: v.optional(integer('How many these are, where they are not all.', 1)),
})

/** Renames through a language server. */
export const symbolRename = defineVerb({
  name: VERB,
  vocabulary: 'clada',
  description: 'Rename a class, function, method or variable wherever it is used, in all files: through the language '
    + 'server that the user has configured. All places are changed, or none. Places of the same name that the server '
    + 'did not name stay, and are listed.',
  category: 'edit',
  type: 'write',
  requires: { languageServer: true },
  constraints: [
    'Only in languages with a server in language_servers of the user\'s config.',
    'Comments and strings stay as they are, unless the server names them.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: filePath('Source file that has the name, absolute or relative to the root.'),
    symbol: boundedText(
      'Name as it is now; case matters. With its containers it finds fewer: "parse", "Server.listen".',
      { min: 1, max: 500 },
    ),
    new_name: boundedText('The new name, without containers.', { min: 1, max: 500 }),
    line: v.optional(integer('Line of the name, where several have it, or where it is used and not defined.', 1)),
  }),
  check({ new_name: name }) {
    if (/^[\p{L}\p{N}_$#@?!'-]+$/u.test(name)) return
    throw new HermesError('INVALID_PARAMETER', `${VERB}: new_name is no name: ${JSON.stringify(name)}`, {
      hint: 'Write one name such as listen, without containers, blanks or quotes.',
    })
  },
  result,
  examples: [{ path: 'src/server.py', symbol: 'Server.stop', new_name: 'close' }],
  async handler({ path, symbol, new_name, line }, context) {
    const { target, content } = readExisting(VERB, path, 'write', context)
    const server = serverFor(target, context)
    if (!server) throw noServer(VERB, path, context)
    const place = await nameIn(path, target, content, { symbol, line })
    const { name } = place
    if (name === new_name) {
      throw new HermesError('INVALID_PARAMETER', `${VERB}: it is named ${name} already`, {
        hint: 'Nothing was changed. Write another new_name.',
      })
    }
    // All source files of the root, as they are now.
    const start = context.gate.approve(context.session.root, 'read')
    const view = await indexOf(context).refresh({ start, kind: 'directory', shown: '.', verb: VERB }, context)
    const plan = await withServer(VERB, server, context, async (asked) => (
      planRename(VERB, asked, await asked.rename(target, place, new_name), name, context)
    ))
    if (plan.files.length === 0) {
      throw new HermesError('TEXT_NOT_FOUND', `${VERB}: ${server.name} names no place of ${name} to change`, {
        hint: 'Nothing was changed. It may be defined outside the root; get_definition tells where.',
      })
    }
    const unrenamed = await unrenamedPlaces(view, plan.places, place, context)
    requireUnchanged(VERB, server.name, plan.files, context)
    await writeAll(VERB, plan.files, context, {
      wrong: `It would be so with ${new_name}: write a name that the language allows.`,
    })
    adviseOnClash(view, plan.files, new_name, context)
    if (unrenamed.length > 0) {
      context.advise?.(`Where ${name} stands on, since ${server.name} did not name it: `
        + `${listed([...new Set(unrenamed.map((each) => `${each.path}:${each.line}`))])}. `
        + `Look at ${unrenamed.length === 1 ? 'it' : 'them'}.`, true)
    }
    return {
      old_name: name, new_name, server: server.name,
      files: plan.files.map(({ shown, replacements }) => ({ path: shown, replacements })),
      replacements_made: plan.files.reduce((sum, { replacements }) => sum + replacements, 0),
      ...(unrenamed.length > 0 && { unrenamed: unrenamed.slice(0, MOST_UNRENAMED) }),
      ...(unrenamed.length > MOST_UNRENAMED && { total_unrenamed: unrenamed.length }),
    }
  },
})

/** Where the name stands: where it is defined, else where it is used in the line. */
async function nameIn(
  path: string, target: ApprovedPath, content: string, { symbol, line }: { symbol: string; line?: number | undefined },
): Promise<NamePlace & { name: string }> {
  const language = languageOf(target)
  if (language === undefined) {
    throw new HermesError('INVALID_PARAMETER', `${VERB}: ${path} is in no language it can parse`, {
      hint: 'Write the file that defines the name.',
    })
  }
  const wanted = readName(symbol.trim()).in(language)
  const { name } = wanted
  const all = (await parseVisible(language, content)).filter((definition) => (
    definition.name === name && (wanted.full === name || `.${fullName(definition)}`.endsWith(`.${wanted.full}`))
  ))
  const here = line === undefined ? all
    : all.filter(({ nameLine, startLine, endLine }) => nameLine === line || (startLine <= line && line <= endLine))
  const exact = here.filter(({ nameLine }) => nameLine === line)
  const shared = here.filter((definition) => definition.shared)
  const [first, second] = exact.length > 0 ? exact : shared.length > 0 ? shared : here
  if (first && !second) return { name, path: target, language, line: first.nameLine, column: first.nameColumn }
  if (first) {
    throw new HermesError('AMBIGUOUS_MATCH', `${VERB}: ${path} defines ${symbol} more than once`, {
      hint: `Write the line of one: ${here.map((place) => `${place.nameLine} (${fullName(place)})`).join(', ')}.`,
    })
  }
  const use = line === undefined ? undefined
    : (await identifiersOnLine(language, content, line)).find((place) => place.name === name)
  if (use && line !== undefined) return { name, path: target, language, line, column: use.column }
  throw new HermesError('TEXT_NOT_FOUND', `${VERB}: ${path} does not define ${symbol}`, {
    hint: 'find_symbol tells the file that does. Where it is only used here, write the line of a use.',
  })
}

/** Two names that were told apart may be one now. */
function adviseOnClash(
  view: IndexView, files: readonly RenamedFile[], name: string, context: VerbContext,
): void {
  const changed = new Set<string>(files.map(({ path }) => path))
  const clashes = view.occurrencesOf(name).filter(({ file }) => changed.has(file.path))
  const [first] = clashes
  if (!first) return
  context.advise?.(`${name} stood in ${first.file.shown}, line ${first.occurrence.line}, already: look whether both `
    + 'are told apart.', true)
}

/**
 * Where a name stands that a rename does not touch, and that is not known to mean something else.
 *
 * @param renamed keys of the places that it does touch
 */
async function unrenamedPlaces(
  view: IndexView, renamed: ReadonlySet<string>, definition: NamePlace & { name: string }, context: VerbContext,
) {
  const candidates = view.occurrencesOf(definition.name)
    .map(({ file: { path, language }, occurrence: { line, column } }): NamePlace => ({ path, language, line, column }))
    .filter((place) => !renamed.has(placeKey(place)))
  if (candidates.length === 0) return []
  // Servers have been asked already: this tells what is known to be something else.
  const { references } = await resolveReferences(
    VERB, [definition], candidates, { ...context, policy: { ...context.policy, languageServers: [] } },
  )
  const lines = new FileLines(context)
  return references.flatMap(({ path, line, column, name = definition.name }) => {
    const file = renamed.has(placeKey({ path, line, column })) ? undefined : view.fileAt(path)
    const shown = file && lines.at(file, { name, line, column })
    return file && shown !== undefined ? [{ path: file.shown, line, column, text: shown }] : []
  })
}
