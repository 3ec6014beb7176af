const { builtinModules } = require('node:module')
const { peerDependencies } = require('../package.json')

/** The verb families; `verb-paths` holds what they share. */
const FAMILIES = 'verb-(?!paths/)[^/]+'
/** Components may import those of earlier rows only; the verb families and the outer shells not one another either. */
const LAYERS = [
  'contracts', 'text', 'terminal-ui', 'edits', 'patches', 'secrets', 'process-identity', 'command-risk', 'scanner', 'parsers', 'registry', 'prompt',
  'checked-yaml', 'tool-mapping', 'transcripts', 'launcher', 'policy', 'atomic-write', 'files', 'locks', 'content-store', 'loopback-http',
  'verb-paths', 'tree-walk', 'config', 'git', 'sandbox', 'journal', 'transaction', 'git-history', 'syntax',
  'command-processes', 'terminal-sessions', 'skills', FAMILIES, 'verbs', 'mcp-client', 'hooks', 'executor', 'doctor',
  'help-texts', 'reports', 'plans', 'report-page', 'replay', 'report-formats',
  'job-queue', 'replay-queue', 'json-rpc', 'extension-kit', 'extension-host', '(?:rpc|mcp|adapters|review|watch)',
  'line-editor', 'agent', '(?:batch|chat|cron|gateway)', 'interactive', 'batch-queue', 'setup', 'cli',
]
/** Components (and the entry `core.ts`) that also run in a browser. */
const PURE = '(?:contracts|text|edits|patches|secrets|command-risk|scanner|parsers|registry|prompt)'
const NODE_MODULES = `^(?:node:)?(?:${builtinModules.map(name => name.replace('/', '\\/')).join('|')})$`

const layerRules = LAYERS.map((layer, index) => ({
  name: layer === FAMILIES ? 'layer-verb' : `layer-${layer.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '')}`,
  comment: 'A component imports only from components of earlier layers.',
  severity: 'error',
  from: { path: `^proj/comp/(${layer})/src/` },
  to: { path: `^proj/comp/(?:${LAYERS.slice(index).join('|')})/`, pathNot: '^proj/comp/$1/' },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'component-has-layer',
      comment: 'Add the component to LAYERS.',
      severity: 'error',
      from: { path: '^proj/comp/[^/]+/src/', pathNot: `^proj/comp/(?:${LAYERS.join('|')})/` },
      to: {},
    },
    {
      name: 'only-through-index',
      comment: 'Of another component only src/index.ts (by pages src/page/index.tsx) is imported, '
        + 'and by tests its test support.',
      severity: 'error',
      from: { path: '^proj/comp/([^/]+)/', pathNot: '^proj/comp/verbs/src/list\\.ts$' },
      to: {
        path: '^proj/comp/[^/]+/',
        pathNot: ['^proj/comp/$1/', '^proj/comp/[^/]+/(?:src/index\\.ts$|src/page/index\\.tsx$|test/)'],
      },
    },
    {
      name: 'list-loads-verbs-only',
      comment: 'The list of verbs may import an index or a file of a verb family.',
      severity: 'error',
      from: { path: '^proj/comp/verbs/src/list\\.ts$' },
      to: {
        path: '^proj/comp/[^/]+/',
        pathNot: ['^proj/comp/verbs/', '^proj/comp/[^/]+/src/index\\.ts$', '^proj/comp/verb-[^/]+/src/'],
      },
    },
    {
      name: 'entries-through-index',
      comment: 'The entries import only src/index.ts of a component.',
      severity: 'error',
      from: { path: '^proj/src/' },
      to: { path: '^proj/comp/', pathNot: '^proj/comp/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'entries-are-outermost',
      comment: 'No component imports an entry.',
      severity: 'error',
      from: { path: '^proj/comp/[^/]+/src/' },
      to: { path: '^proj/src/' },
    },
    {
      name: 'pure-components',
      comment: 'These components run in a browser: no module of Node.',
      severity: 'error',
      from: { path: `^proj/comp/${PURE}/src/` },
      to: { path: NODE_MODULES },
    },
    {
      name: 'pure-core',
      comment: 'What core.ts loads, directly or not, runs in a browser: no module of Node.',
      severity: 'error',
      from: { path: '^proj/src/core\\.ts$' },
      to: { path: NODE_MODULES, reachable: true },
    },
    {
      name: 'programs-through-launcher',
      comment: 'Only the launcher starts programs: PATH, environment, groups and endings are decided there.',
      severity: 'error',
      from: { path: '^proj/(?:src|comp/[^/]+/src)/', pathNot: '^proj/comp/launcher/src/' },
      to: { path: '^(?:node:)?child_process$|(?:^|/)node_modules/(?:execa|@lydell/node-pty)/' },
    },
    {
      name: 'no-circular',
      comment: 'No cycles, those of types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'A module that is not there. Scripts may import from dist.',
      severity: 'error',
      from: { pathNot: '^proj/scripts/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-tests-in-sources',
      comment: 'Sources import nothing of tests.',
      severity: 'error',
      from: { path: '^proj/(?:src|comp/[^/]+/src)/' },
      to: { path: '^proj/(?:test|comp/[^/]+/test)/' },
    },
    {
      name: 'no-test-tools-in-sources',
      comment: 'What sources import is bundled, or a dependency of hermes: package.json names it, not proj/package.json.',
      severity: 'error',
      from: { path: '^proj/(?:src|comp/[^/]+/src)/' },
      to: { path: `^proj/node_modules/(?!(?:${Object.keys(peerDependencies).join('|')})/)` },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts', '.d.mts'],
    },
  },
}
