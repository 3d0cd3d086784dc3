import { ensureBuilt } from '#tools/build-app.mjs'

/** Once, before the workers start their programs. */
export default ensureBuilt
