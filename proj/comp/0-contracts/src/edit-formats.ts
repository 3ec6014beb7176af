interface EditFormatSpec {
  /** What a block of it is called in a sentence. */
  called: string
  /** The verbs that its blocks call. */
  verbs: readonly string[]
}

/**
 * Formats of other tools, read only where they are enabled (contract section 1). Names, choices of flags and settings,
 * and the toolset `edit-formats` come from here. What else a format needs is listed in CONTRIBUTING.md: the
 * compiler asks for some of it.
 */
export const EDIT_FORMAT_SPECS = {
  'search-replace': { called: 'a SEARCH/REPLACE block', verbs: ['edit_replace'] },
  v4a: { called: 'a patch (*** Begin Patch)', verbs: ['apply_patch'] },
  unified: { called: 'a unified diff', verbs: ['patch_unified'] },
  whole: { called: 'a whole file in a fence', verbs: ['write_file', 'edit_replace'] },
} as const satisfies Readonly<Record<string, EditFormatSpec>>

/** Name of an edit format: SEARCH/REPLACE blocks, diffs, patches, whole files and the like (docs/formats.md). */
export type EditFormat = keyof typeof EDIT_FORMAT_SPECS

/** What their blocks call. */
export type EditVerb = (typeof EDIT_FORMAT_SPECS)[EditFormat]['verbs'][number]

export const EDIT_FORMATS = Object.keys(EDIT_FORMAT_SPECS) as readonly EditFormat[]
