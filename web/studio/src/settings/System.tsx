import { useQuery } from "urql";

import { codeOf } from "../graph/errors";
import { ago, bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { Progress } from "../ui/Progress";
import { Badge, Part, Row, Rows } from "../ui/Rows";
import { Frame } from "./Frame";
import { SystemDocument, type FindingState, type SystemQuery } from "./made/graphql";
import css from "./Settings.module.css";

type Server = SystemQuery["system"];

/** System is for operators: the state of the server over all workspaces. */
export function System() {
  const [{ data, error, fetching }, again] = useQuery({ query: SystemDocument, requestPolicy: "network-only" });

  return (
    <Frame
      part="system"
      about={data && `Reelgraph ${data.system.version} (${data.system.commit.slice(0, 12)})`}
      actions={
        data && (
          <Button busy={fetching} onClick={() => again({ requestPolicy: "network-only" })}>
            Refresh
          </Button>
        )
      }
    >
      {data ? (
        <>
          <Findings findings={data.system.findings} />
          <Queues queues={data.system.queues} />
          <Space server={data.system} />
        </>
      ) : error && codeOf(error) === "forbidden" ? (
        <Empty icon="lock" title="Only operators see the system">
          Operators are the owners of the server’s first workspace, while they are signed in to it.
        </Empty>
      ) : error ? (
        <ErrorNote error={error} onRetry={again} />
      ) : (
        <Loading />
      )}
    </Frame>
  );
}

const states: Record<FindingState, { label: string; tone: "good" | "bad" }> = {
  OK: { label: "OK", tone: "good" },
  WARNING: { label: "Warning", tone: "bad" },
  MISSING: { label: "Missing", tone: "bad" },
  FAILS: { label: "Fails", tone: "bad" },
};

function Findings({ findings }: { findings: Server["findings"] }) {
  // What needs somebody comes first.
  const sorted = [...findings].sort((a, b) => Number(a.state === "OK") - Number(b.state === "OK"));
  return (
    <Part title="Findings" about="What reelgraph doctor reports about the machine that answered.">
      <Rows label="Findings">
        {sorted.map(({ name, state, message, remedies }) => (
          <Row key={name} title={name} badge={<Badge tone={states[state].tone}>{states[state].label}</Badge>} about={message}>
            {remedies.length > 0 && (
              <ul className={css["steps"]}>
                {remedies.map((remedy) => (
                  <li key={remedy}>{remedy}</li>
                ))}
              </ul>
            )}
          </Row>
        ))}
      </Rows>
    </Part>
  );
}

function Queues({ queues }: { queues: Server["queues"] }) {
  return (
    <Part title="Queues">
      <table className={css["table"]}>
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">Waiting</th>
            <th scope="col">Running</th>
            <th scope="col">Retrying</th>
            <th scope="col">Planned</th>
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name}>
              <td>
                {queue.name}
                {queue.oldestWaitingAt && <small className={css["quiet"]}> oldest {ago(queue.oldestWaitingAt)}</small>}
              </td>
              <td>{queue.waiting}</td>
              <td>{queue.running}</td>
              <td>{queue.retrying}</td>
              <td>{queue.scheduled}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function Space({ server: { storage, disk, databaseBytes } }: { server: Server }) {
  const figures: [string, number][] = [
    ["All media", storage.bytes],
    ["Videos", storage.videoBytes],
    ["Sounds", storage.audioBytes],
    ["Pictures", storage.imageBytes],
    ["Pointer data", storage.mouseBytes],
    ["Exports", storage.exportBytes],
    ["Previews", storage.extractBytes],
    ["Catalog", storage.catalogBytes],
    ["Database", databaseBytes],
  ];
  const limits = [storage.workspaceLimitBytes && `A workspace may store ${bytes(storage.workspaceLimitBytes)}.`, storage.uploadLimitBytes && `An upload may have ${bytes(storage.uploadLimitBytes)}.`];

  return (
    <>
      <Part title="Storage" about={limits.filter(Boolean).join(" ")}>
        <dl className={css["figures"]}>
          {figures.map(([name, size]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{bytes(size)}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title="Disk" about={disk ? `${bytes(disk.freeBytes)} of ${bytes(disk.totalBytes)} free. ${bytes(disk.reserveBytes)} are kept for the database.` : "The disk cannot be read."}>
        {disk && <Progress label="Disk used" value={1 - disk.freeBytes / disk.totalBytes} />}
      </Part>
    </>
  );
}
