/** Folders that tools fill, in any context: dependencies, caches, environments. */
const ALWAYS: ReadonlySet<string> = new Set([
  'node_modules', 'bower_components', 'jspm_packages', '.pnpm-store', '.yarn', '.npm', '.next', '.nuxt', '.svelte-kit',
  '.turbo', '.parcel-cache', '.nyc_output', '.venv', '__pycache__', '__pypackages__', '.tox', '.nox', '.eggs',
  '.pytest_cache', '.mypy_cache', '.ruff_cache', '.ipynb_checkpoints', '.gradle', '.terraform', '.dart_tool',
  '.bundle', '.stack-work', 'dist-newstyle', 'elm-stuff', 'Pods', 'DerivedData', '.cache', 'site-packages',
])

/** Folders of dependencies, if one of these files is beside them. */
const DEPENDENCIES_BESIDE: Readonly<Record<string, RegExp>> = {
  vendor: /^(?:composer\.json|Gemfile|go\.mod)$/,
  deps: /^mix\.exs$/,
  Carthage: /^Cartfile$/,
}

/** Folders of compiled code, if one of these files is beside them. */
const COMPILED_BESIDE: Readonly<Record<string, RegExp>> = {
  target: /^(?:Cargo\.toml|pom\.xml|build\.sbt|project\.clj)$/,
  obj: /\.(?:cs|fs|vb)proj$/,
  _build: /^(?:mix\.exs|rebar\.config|dune-project)$/,
}

/** Folders that hold build output in many projects, but sources in others. */
const MOSTLY_OUTPUT_BESIDE: Readonly<Record<string, RegExp>> = {
  build: /^(?:build\.gradle(?:\.kts)?|CMakeLists\.txt|setup\.py|pyproject\.toml|package\.json|pubspec\.yaml)$/,
  dist: /^(?:package\.json|pyproject\.toml|setup\.py|[^/]+\.cabal)$/,
  out: /^(?:package\.json|tsconfig\.json|CMakeLists\.txt)$/,
  coverage: /^package\.json$/,
  bin: /\.(?:cs|fs|vb)proj$/,
}

/** Context of a folder that decides besides its name. */
export interface FolderSurroundings {
  /** Names in its parent directory. */
  beside: () => readonly string[]
  /** Whether it contains a file of this name. */
  holds: (name: string) => boolean
}

/** Whether a folder holds dependencies, an environment, a cache or compiled code, rather than sources. */
export function isDependencyFolder(name: string, around: FolderSurroundings): boolean {
  if (ALWAYS.has(name) || name.endsWith('.egg-info')) return true
  // A virtual environment of Python may have any name.
  return isBeside(name, DEPENDENCIES_BESIDE, around) || isBeside(name, COMPILED_BESIDE, around)
    || around.holds('pyvenv.cfg')
}

/** As `isDependencyFolder`, or build output. */
export function isFilledByTools(name: string, around: FolderSurroundings): boolean {
  return isDependencyFolder(name, around) || isBeside(name, MOSTLY_OUTPUT_BESIDE, around)
}

function isBeside(name: string, table: Readonly<Record<string, RegExp>>, { beside }: FolderSurroundings): boolean {
  const pattern = Object.hasOwn(table, name) ? table[name] : undefined
  return pattern !== undefined && beside().some((each) => pattern.test(each))
}
