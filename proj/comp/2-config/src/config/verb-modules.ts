import { inHome } from './hermes-home.js'
import type { PolicySource } from './source.js'

/** A module of verbs that the user's file names. */
export interface VerbModule {
  /** As written, for messages. */
  written: string
  /** Absolute. */
  path: string
  /** `~/.hermes/config.yaml:7`. */
  place: string
}

/**
 * The modules of `verbs:` in the user's file, in its order. A project's file names none: they are code that runs in
 * hermes.
 */
export function verbModulesOf(user: PolicySource | undefined): VerbModule[] {
  return (user?.values.verbs?.modules ?? []).map((written, index) => ({
    written,
    path: inHome(written),
    place: user?.place('verbs', 'modules', index) ?? '',
  }))
}
