export { CONTAINER_ENGINES, OWNER_VARIABLE, type EngineName } from './container-engines.js'
export { HANDED, MountPlan } from './container-mounts.js'
export { TaskContainers } from './task-containers.js'
