import { describe, expect, test } from "vitest";
import { history, task } from "./fixtures";
import { countOf, marksOf, type StepState } from "./marks";

const visit = (key: string, type: string, endTime: number | null = 20) => ({
  key,
  type,
  startTime: 10,
  endTime,
  taskId: "",
});

describe("the state of a decision", () => {
  test.each<[string, Parameters<typeof task>[0][], StepState | null]>([
    ["in progress", [{ status: 1 }], "running"],
    ["waiting for signers", [{ status: 0 }], "running"],
    ["decided, signers follow", [{ status: 7 }], "running"],
    ["approved", [{ status: 2, endTime: 20 }], "approved"],
    ["rejected", [{ status: 3, endTime: 20 }], "rejected"],
    ["cancelled", [{ status: 4, endTime: 20 }], "cancelled"],
    ["sent back", [{ status: 5, endTime: 20 }], "returned"],
    ["skipped", [{ status: -2, endTime: 20 }], null],
    ["open wins over an earlier visit", [{ status: 1 }, { status: 5, endTime: 20 }], "running"],
    [
      "the last visit counts",
      [
        { status: 2, endTime: 30 },
        { status: 5, endTime: 20 },
      ],
      "approved",
    ],
    [
      "others fall to the approval",
      [
        { status: 4, endTime: 30 },
        { status: 2, endTime: 30 },
      ],
      "approved",
    ],
    [
      "one rejection rejects",
      [
        { status: 3, endTime: 30 },
        { status: 2, endTime: 30 },
      ],
      "rejected",
    ],
  ])("%s", (_name, tasks, state) => {
    expect(marksOf(history({ tasks: tasks.map(task) })).steps.get("check")?.state).toBe(state);
  });

  test("a signer who waits keeps the step open", () => {
    const signer = task({ id: "t2", parentTaskId: "t1", status: 0 });
    const marks = marksOf(history({ tasks: [task({ status: 2, endTime: 20, children: [signer] })] }));
    expect(marks.steps.get("check")).toMatchObject({ state: "running", tasks: [{ id: "t1" }, { id: "t2" }] });
  });
});

test("other steps follow their visits, ends the result, flows their being taken", () => {
  const activities = [
    visit("start", "startEvent"),
    visit("mail", "serviceTask", null),
    visit("gate", "exclusiveGateway"),
    visit("end", "endEvent"),
    visit("f1", "sequenceFlow"),
  ];
  const running = marksOf(history({ activities }));
  const states = [...running.steps].map(([key, mark]) => [key, mark.state]);
  expect(states).toEqual([
    ["start", "approved"],
    ["mail", "running"],
    ["gate", "approved"],
    ["end", null],
  ]);
  expect([...running.flows]).toEqual(["f1"]);
  const rejected = marksOf(history({ activities, instance: { ...history().instance, result: 3 } }));
  expect(rejected.steps.get("end")?.state).toBe("rejected");
});

test("counts are of the people asked at once in the last round", () => {
  const old = task({ id: "t0", createTime: 5, status: 5, endTime: 9 });
  const asked = [1, 2, 3].map((n) =>
    task({ id: `t${n}`, createTime: 10, status: n === 1 ? 2 : 1, endTime: n === 1 ? 20 : null }),
  );
  const mark = marksOf(history({ tasks: [...asked, old] })).steps.get("check");
  expect(mark && countOf(mark)).toEqual({ done: 1, total: 3 });
  const single = marksOf(history({ tasks: [task({}), old] })).steps.get("check");
  expect(single && countOf(single)).toBeNull();
});
