// Nothing for others: the verbs are named, each with its file, in `proj/comp/5-executor/src/verbs/list.ts`.
// oxlint-disable-next-line unicorn/require-module-specifiers -- so that this is a module
export {}
