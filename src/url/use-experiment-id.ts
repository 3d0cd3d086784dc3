import { useParams } from 'react-router'

/** The experiment the URL names; only for pages below `experiments/:id`. */
export const useExperimentId = () => useParams()['id'] ?? ''
