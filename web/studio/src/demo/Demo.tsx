import { useEffect, useState } from "react";
import { useClient, useQuery } from "urql";

import { messageOf } from "../graph/errors";
import { Button } from "../ui/Button";
import { Progress } from "../ui/Progress";
import { toast } from "../ui/toast";
import css from "../library/Library.module.css";
import { DemoDocument, DemoProgressDocument, FillDemoDocument, type DemoQuery } from "./made/graphql";

type Filling = NonNullable<DemoQuery["demo"]>;

const goesOn = (demo: Filling | null) => demo?.status === "PENDING" || demo?.status === "RUNNING";

/** Demo fills an empty workspace with videos to explore, and shows how far that is. Only owners may do it. */
export default function Demo({ onFilling }: { onFilling: (now: boolean) => void }) {
  const client = useClient();
  const [{ data }] = useQuery({ query: DemoDocument, requestPolicy: "network-only" });
  const [now, setNow] = useState<Filling | null>(null);
  const [busy, setBusy] = useState(false);

  const demo = now ?? data?.demo ?? null;
  const listens = goesOn(demo);

  useEffect(() => {
    if (demo) onFilling(listens);
  }, [demo, listens, onFilling]);

  useEffect(() => {
    if (!listens) return;
    return client.subscription(DemoProgressDocument, {}).subscribe(({ data }) => data && setNow(data.demoProgress)).unsubscribe;
  }, [client, listens]);

  async function fill() {
    if (busy) return;
    setBusy(true);
    const { data, error } = await client.mutation(FillDemoDocument, {}).toPromise();
    setBusy(false);
    if (error) toast(messageOf(error), { problem: true });
    else setNow(data!.fillDemo.demo);
  }

  if (listens) {
    return (
      <div className={css["demo"]}>
        <p role="status">{demo!.status === "PENDING" ? "The demo videos will be made soon." : "The demo videos are being made. This takes a few minutes."}</p>
        <Progress label="Demo videos" value={demo!.progress / 100} />
      </div>
    );
  }
  return (
    <>
      <Button busy={busy} onClick={() => void fill()}>
        Fill with demo videos
      </Button>
      {demo?.error && (
        <p role="alert" className={css["demo"]}>
          {demo.error.message}
        </p>
      )}
    </>
  );
}
