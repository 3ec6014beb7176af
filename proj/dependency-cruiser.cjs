const { readFileSync } = require('node:fs')
const { builtinModules } = require('node:module')
const { join } = require('node:path')
const { dependencies, devDependencies, peerDependencies } = require('../package.json')

/** Rows of the table of rooms in proj/doc/ARCH.md: the room, and the rooms of its own storey that it may import. */
const ROW = /^\| `(\d-[\w-]+)` \|[^|]*\|([^|]*)\|$/gm
const ROOMS = [...readFileSync(join(__dirname, 'doc', 'ARCH.md'), 'utf8').matchAll(ROW)]
  .map(([, room, also]) => ({ room, also: also.match(/\d-[\w-]+/g) ?? [] }))
const NODE_MODULES = `^(?:node:)?(?:${builtinModules.map(name => name.replace('/', '\\/')).join('|')})$`
/** A room's face: what other rooms see of it. Pages have one of their own, since they run in a browser. */
const FACES = '^proj/comp/[^/]+/src/(?:index\\.ts|page/index\\.tsx)$'
const LIST_OF_VERBS = '^proj/comp/5-executor/src/verbs/list\\.ts$'

/** What package.json names. */
const NAMED = [dependencies, devDependencies, peerDependencies].flatMap(names => Object.keys(names)).join('|')

/** The number that a room's name begins with is its storey. */
const storeyRules = Array.from({ length: 9 }, (_, storey) => ({
  name: 'storeys',
  comment: 'A room imports from lower storeys only.',
  severity: 'error',
  from: { path: `^proj/comp/${storey}-[^/]+/src/` },
  to: { path: `^proj/comp/[${storey + 1}-9]-` },
}))
const neighbourRules = ROOMS.map(({ room, also }) => ({
  name: 'neighbours',
  comment: 'Of its own storey a room imports only the rooms that its row in proj/doc/ARCH.md names.',
  severity: 'error',
  from: { path: `^proj/comp/${room}/src/` },
  to: { path: `^proj/comp/${room[0]}-`, pathNot: `^proj/comp/(?:${[room, ...also].join('|')})/` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...storeyRules,
    ...neighbourRules,
    {
      name: 'room-has-row',
      comment: 'Add the room to the table in proj/doc/ARCH.md.',
      severity: 'error',
      from: { path: '^proj/comp/[^/]+/src/', pathNot: `^proj/comp/(?:${ROOMS.map(({ room }) => room).join('|')})/` },
      to: {},
    },
    {
      name: 'only-through-face',
      comment: 'Of another room only src/index.ts (by pages src/page/index.tsx) is imported.',
      severity: 'error',
      from: { path: '^proj/comp/([^/]+)/src/', pathNot: LIST_OF_VERBS },
      to: { path: '^proj/comp/[^/]+/', pathNot: ['^proj/comp/$1/', FACES] },
    },
    {
      name: 'tests-through-index',
      comment: 'Tests import of another room an index, which each of its folders has, or its test support.',
      severity: 'error',
      from: { path: '^proj/comp/([^/]+)/test/' },
      to: { path: '^proj/comp/[^/]+/', pathNot: ['^proj/comp/$1/', FACES, '^proj/comp/[^/]+/(?:src/[^/]+/index\\.ts$|test/)'] },
    },
    {
      name: 'list-loads-verbs-only',
      comment: 'The list of verbs may import a face, or a file of a room of verbs: each is loaded alone.',
      severity: 'error',
      from: { path: LIST_OF_VERBS },
      to: { path: '^proj/comp/[^/]+/', pathNot: ['^proj/comp/5-executor/', FACES, '^proj/comp/4-verb-[^/]+/src/'] },
    },
    {
      name: 'entries-through-face',
      comment: 'The entries import only the faces of rooms.',
      severity: 'error',
      from: { path: '^proj/src/' },
      to: { path: '^proj/comp/', pathNot: FACES },
    },
    {
      name: 'entries-are-outermost',
      comment: 'No room imports an entry.',
      severity: 'error',
      from: { path: '^proj/comp/[^/]+/src/' },
      to: { path: '^proj/src/' },
    },
    {
      name: 'pure-rooms',
      comment: 'The lowest two storeys do no I/O: no module of Node.',
      severity: 'error',
      from: { path: '^proj/comp/[01]-[^/]+/src/' },
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
      from: { path: '^proj/(?:src|comp/[^/]+/src)/', pathNot: '^proj/comp/2-processes/src/launcher/' },
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
      // One that tests need as well may lie beside those of the tests, too: the build takes that of the root.
      to: { path: `^proj/node_modules/(?!(?:${NAMED})/)` },
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
