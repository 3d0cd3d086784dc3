/** Identifies an experiment, and optionally one of its versions, among all organizations. */
export type ExperimentKey = { organizationId: string; experimentId: string }
export type VersionKey = ExperimentKey & { fingerprint: string }
