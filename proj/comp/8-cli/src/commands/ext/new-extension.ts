import { resolve } from 'node:path'
import { shownOwnFile } from '../../../../2-config/src/index.js'
import { LANGUAGES, newExtension, type Language } from '../../../../2-extensions/src/index.js'
import { shellWord } from '../../../../0-text/src/index.js'
import { didYouMean, usageError, type Arguments } from '../../arguments.js'
import { ownName, printFound } from '../../io/output.js'

/** `hermes ext new`: writes a working extension as a starting point. */
export function writeNew(args: Arguments, [name, unexpected]: readonly string[]): number {
  if (name === undefined || unexpected !== undefined) throw usageError(
    name === undefined ? 'No name given' : `Unexpected argument: ${unexpected}`,
    'Write hermes ext new NAME --lang py; the name becomes a directory here.',
  )
  const { files, prepare, command } = newExtension(resolve(name), name, language(args))
  const [hermes, call] = [ownName(), command.map(shellWord).join(' ')]
  return printFound(args, { files, prepare, command }, () => [
    ...files, '',
    ...(prepare === undefined ? [] : [`Prepare it:  cd ${name} && ${prepare}`]),
    `Test it:     ${hermes} ext test -- ${call}`,
    `Run it:      ${hermes} ext run --command check --message answer.md -- ${call}`,
    '', `To have it by name, below extensions: in ${shownOwnFile()}:`, '',
    `  ${name}:`, `    command: ${command[0]}`, `    args: [${command.slice(1).map(yamlWord).join(', ')}]`, '',
  ].join('\n'))
}

/** A word as an entry of a YAML list. */
function yamlWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text)
}

function language(args: Arguments): Language {
  const wanted = args.value('lang') ?? 'py'
  const known = LANGUAGES.find(each => each === wanted)
  if (known) return known
  throw usageError(
    `Unknown language: ${wanted}`, `${didYouMean(wanted, LANGUAGES)}--lang is ${LANGUAGES.join(' or ')}.`,
  )
}
