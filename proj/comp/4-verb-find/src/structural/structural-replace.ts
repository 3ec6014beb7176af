import * as v from 'valibot'
import { skippedFile } from '../symbols/or-skip.js'
import {
  boundedText, defineVerb, described, HermesError, integer, text, texts, titled,
} from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { LANGUAGES_IN_SHORT } from '../../../2-syntax/src/index.js'
import { pathFilter } from '../called-path.js'
import { checkRewrite, rewriteFile, type Rewritten } from './rewrite-file.js'
import { RewriteTemplate } from './rewrite-template.js'
import { type StructuralNotes, searchStructures, structuralRequest } from './structural-files.js'
import { readQuery, structuralArgs } from './structural-query.js'
import { writeAll } from './write-all.js'

const VERB = 'structural_replace'
/** Most characters that one call rewrites, over all files. */
const MOST_CHARS = 64 * 1024 * 1024
const MOST_NAMED = 50

const result = v.strictObject({
  files: described(v.array(titled('RewrittenFile', {
    path: text('The file, written as the path searched.'),
    replacements: integer('How many matches were rewritten in it.', 1),
  })), 'The files that were changed, by path.'),
  replacements_made: integer('How many matches were rewritten.', 0),
  nested: v.optional(integer('Matches inside of others, which were not: call it again for them.', 1)),
  broken: v.optional(texts('Files with a part that is no code of their language: near it a match may be missed.')),
  skipped: v.optional(described(v.array(skippedFile), 'What could not be searched, and was not changed.')),
})

/** Rewrites code by its structure, with ast-grep's engine. */
export const structuralReplace = defineVerb({
  name: VERB,
  vocabulary: 'clada',
  description: 'Rewrite code by its structure, in all files with a match, as ast-grep does: rewrite is new code in '
    + 'which $NAME and $$$NAME of the pattern stand for what they matched, e.g. pattern var $A = $B, rewrite '
    + 'const $A = $B. All matches are rewritten, or nothing. With expected, there must be exactly that many.',
  category: 'edit',
  type: 'write',
  constraints: [
    `Languages: ${LANGUAGES_IN_SHORT}. A file of over 1,048,576 characters is not parsed.`,
    'A match inside another stays; call it again. Code that could be parsed must be code afterwards.',
    'New lines are indented and end as those of the match. Empty rewrite deletes the match.',
  ],
  primary: 'pattern',
  args: v.strictObject({
    ...structuralArgs,
    rewrite: boundedText('The code to put in the place of each match.', { max: 100_000 }),
    expected: v.optional(integer('How many matches there must be, those inside of others not counted.', 1)),
  }),
  check(args) {
    checkRewrite(VERB, args.rewrite, readQuery(VERB, args))
    pathFilter(VERB, 'include', args.include)
  },
  result,
  examples: [
    { pattern: 'assertEquals($A, $B)', rewrite: 'expect($A).toBe($B)', path: 'test' },
    { pattern: 'var $NAME = $VALUE', rewrite: 'const $NAME = $VALUE', language: 'javascript', expected: 3 },
  ],
  async handler(args, context) {
    const request = structuralRequest(VERB, args, context)
    const template = new RewriteTemplate(args.rewrite)
    const most = context.limits.maxMatches
    const rewritten: Rewritten[] = []
    let [count, chars] = [0, 0]
    const notes = await searchStructures(request, context, most + 1, (file) => {
      const edited = rewriteFile(file, template, MOST_CHARS)
      if (!edited) {
        chars = Infinity
        return false
      }
      rewritten.push(edited)
      count += edited.replacements
      chars += edited.content.length + edited.before.length
      return count <= most && chars <= MOST_CHARS
    })
    if (count > most || chars > MOST_CHARS) throw tooMuch(count > most ? `${most} matches` : `${MOST_CHARS} characters`)
    if (count === 0) throw noMatch(notes)
    if (args.expected !== undefined && args.expected !== count) throw otherCount(args.expected, count, rewritten)
    const changed = rewritten.filter(({ content, before }) => content !== before)
    if (changed.length === 0) context.advise?.('Each match is as the rewrite makes it: nothing was changed.')
    await writeAll(VERB, changed, context, {
      rewrite: args.rewrite,
      wrong: 'Write a rewrite that is code where the match was, with parentheses where they are needed.',
    })
    const nested = rewritten.reduce((sum, file) => sum + file.nested, 0)
    if (nested > 0) context.advise?.(`Matches inside of others stay as they were (${nested}): call it again for them.`)
    if (notes.skipped.length > 0) {
      context.advise?.(`Not searched, and not changed: ${listed(notes.skipped.map(({ path }) => path))}.`, true)
    }
    return {
      files: changed.map(({ shown, replacements }) => ({ path: shown, replacements })),
      replacements_made: changed.reduce((sum, { replacements }) => sum + replacements, 0),
      ...(nested > 0 && { nested }),
      ...(notes.broken.length > 0 && { broken: notes.broken.slice(0, MOST_NAMED) }),
      ...(notes.skipped.length > 0 && { skipped: notes.skipped.slice(0, MOST_NAMED) }),
    }
  },
})

function tooMuch(what: string): HermesError {
  return new HermesError('OUTPUT_LIMIT', `${VERB}: more than ${what} would be rewritten`, {
    hint: 'Nothing was changed. Write a narrower path or include, and call it once for each part.',
  })
}

function noMatch({ searched, skipped, broken }: StructuralNotes): HermesError {
  const notes = [
    `${searched} source ${searched === 1 ? 'file was' : 'files were'} searched.`,
    ...(broken.length > 0 ? [`Not all of these is code: ${listed(broken)}.`] : []),
    ...(skipped.length > 0 ? [`Not searched: ${listed(skipped.map(({ path }) => path))}.`] : []),
  ]
  return new HermesError('TEXT_NOT_FOUND', `${VERB}: nothing matches`, {
    hint: `Nothing was changed. ${notes.join(' ')} structural_search shows what a pattern finds: try a shorter one, `
      + '$$$NAME where there may be several parts, and no types or modifiers that the code has not.',
  })
}

function otherCount(expected: number, count: number, files: readonly Rewritten[]): HermesError {
  const places = listed(files.map(({ shown, replacements }) => `${shown} (${replacements})`))
  return new HermesError('TEXT_COUNT_MISMATCH', `${VERB}: expected ${expected} matches but found ${count}`, {
    hint: `Nothing was changed. They are in ${places}. Write expected: ${count}, or leave it out, to rewrite all.`,
  })
}
