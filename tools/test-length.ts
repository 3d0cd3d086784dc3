/**
 * How much of a simulation or a walk a test does: the brief part in `npm test`, the whole in `npm run test:long`, which
 * finds the tests that import this file. The brief part must still fail when the promise is broken.
 */
export const atLength = <Value>(brief: Value, whole: Value): Value => (process.env['TEST_LONG'] === '1' ? whole : brief)
