import * as v from 'valibot'
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import {
  HermesError, type AnyVerb, type Requirements, type VerbContext,
} from '../../../0-contracts/src/index.js'
import type { ConfiguredExtension } from '../../../2-config/src/index.js'
import type { LivingExtensions, VerbDescription } from '../../../2-extensions/src/index.js'
import { escapeControls, nearest } from '../../../0-text/src/index.js'
import { argsSchema, described, valueSchema } from '../given-schemas/index.js'
import { verbFiles } from './verb-files.js'

const MOST_DESCRIPTION = 1000
const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false }

/**
 * A verb of an extension, which is started to describe it.
 *
 * @param name as the user's config has it
 * @throws HermesError `EXTENSION_FAILED` where the extension has no such verb, or one that cannot be used; and as
 * `LivingExtensions.verbs`
 */
export async function extensionVerb(
  name: string, extension: ConfiguredExtension, living: LivingExtensions, signal: AbortSignal,
): Promise<AnyVerb> {
  const brought = await living.verbs(extension, signal)
  const description = brought.find((verb) => verb.name === name)
  if (!description) throw notBrought(name, extension, brought.map((verb) => verb.name))
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv')
  return verbOf(description, extension, living, AjvJsonSchemaValidator)
}

function verbOf(
  brought: VerbDescription, extension: ConfiguredExtension, living: LivingExtensions,
  validator: typeof AjvJsonSchemaValidator,
): AnyVerb {
  const { name, arguments: args = NO_ARGUMENTS, result, access, version = '1.0.0', primary, examples = [] } = brought
  const given = (schema: Readonly<Record<string, unknown>>, what: string) => ({
    schema, validator,
    unusable: (why: string, cause?: unknown) => new HermesError(
      'EXTENSION_FAILED', `${name}: extension ${extension.name} gives its ${what} a schema ${why}`,
      { hint: 'Do without this verb; its author can mend it.', ...(cause !== undefined && { cause }) },
    ),
  })
  const requires = brought.requires && requirementsOf(brought.requires, extension)
  const verb: AnyVerb = {
    name, version: escapeControls(version), primary, examples,
    vocabulary: 'hermes', category: 'extension', origin: `extension ${extension.name}`,
    description: described(brought.description, MOST_DESCRIPTION),
    type: access === 'read' || access === 'write' ? access : 'exec', accessibility: ['llm', 'user'], constraints: [],
    ...(requires && { requires }),
    args: argsSchema(given(args, 'arguments')) as AnyVerb['args'],
    result: result === undefined ? v.unknown() : valueSchema(given(result, 'result')),
    handler: async (values: Record<string, unknown>, context: VerbContext): Promise<unknown> => (
      living.executeVerb(extension, {
        verb: name, arguments: values, dryRun: context.dryRun, files: verbFiles(verb, context), signal: context.signal,
      })
    ),
  }
  return verb
}

/** The verb's requirements, checked in the extension's environment: that of hermes, and what the user's config adds. */
function requirementsOf(
  { env = [], keys = [], programs = [], servers = [] }: NonNullable<VerbDescription['requires']>,
  extension: ConfiguredExtension,
): Requirements {
  return { env: [...env, ...keys].filter((name) => !(name in extension.env)), programs, servers }
}

function notBrought(name: string, extension: ConfiguredExtension, names: readonly string[]): HermesError {
  const meant = nearest(name, names)
  const list = names.length === 0 ? 'It brings none (capabilities.verbs of initialize).'
    : `It brings ${names.join(', ')}.`
  return new HermesError('EXTENSION_FAILED', `${name}: extension ${extension.name} brings no such verb`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}${escapeControls(list)} `
      + `The user's config names it below extensions: ${extension.name}: verbs:.`,
  })
}
