/** hint is in localStorage while unfinished uploads are stored, so that nothing is loaded to find out that there are none. */
export const hint = "reelgraph-uploads";
