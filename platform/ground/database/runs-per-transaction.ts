/**
 * The runs that one transaction of long work changes. More would hold up whoever else needs the database, which does one
 * transaction at a time if it is embedded (docs/decisions/139-work-in-parts.md).
 */
export const runsPerTransaction = 50
