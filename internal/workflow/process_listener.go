package workflow

import (
	"context"
	"maps"
	"slices"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/web"
	"viva/internal/workflow/runtime"
)

// The types of a listener.
const (
	ExecutionListener = "execution"
	TaskListener      = "task"
)

// valueClass names a handler of the program; the other two kinds of value are
// expressions.
const valueClass = "class"

// listenerEvents are the moments at which a listener of the type may run.
var listenerEvents = map[string][]string{
	ExecutionListener: {"start", "end", "take"},
	TaskListener:      {"create", "assignment", "complete", "delete", "update", "timeout"},
}

// ProcessListener is a reaction to an event of a process that the designer offers.
type ProcessListener struct {
	ID        int64  `json:"id"`
	Name      string `json:"name" label:"监听器名称|Listener name" in:"required,max=64" q:"like"`
	Type      string `json:"type" label:"监听类型|Type" in:"required,dict=bpm_process_listener_type" q:"eq"`
	Event     string `json:"event" label:"监听事件|Event" in:"required,max=32" q:"eq"`
	ValueType string `json:"valueType" label:"值类型|Kind of value" in:"required,dict=bpm_process_listener_value_type"`
	Value     string `json:"value" label:"值|Value" in:"required,kind=longtext,max=1024"`
	Status    int    `json:"status" label:"状态|Status" in:"required,dict=common_status,min=0,max=1" q:"eq"`
	crud.Meta
}

// listenerUses are the types of listeners as handlers are registered for them.
var listenerUses = map[runtime.Use]string{runtime.ForExecution: ExecutionListener, runtime.ForTask: TaskListener}

// listeners are the registered handlers that listeners may name, and their types.
func (s *Service) listeners() map[string][]string {
	list := map[string][]string{}
	for _, h := range s.engine.Handlers() {
		for _, use := range h.Uses {
			if t := listenerUses[use]; t != "" {
				list[h.Name] = append(list[h.Name], t)
			}
		}
	}
	return list
}

func (s *Service) mountProcessListeners(m *web.Module) {
	r := crud.Mount[ProcessListener](m, "process-listener", "流程监听器|Process listener", crud.Without("export-excel"))
	r.BeforeSave = func(ctx context.Context, _, row *ProcessListener) error { return s.checkListener(ctx, row) }
}

func (s *Service) checkListener(ctx context.Context, row *ProcessListener) error {
	events := listenerEvents[row.Type]
	if !slices.Contains(events, row.Event) {
		list := strings.Join(events, i18n.Pick(ctx, "、", ", "))
		return errs.Field("event", i18n.Pick(ctx, "监听事件 与类型不符，可用："+list, "Event does not fit the type; possible: "+list))
	}
	if row.ValueType == valueClass {
		return s.checkClass(ctx, row)
	}
	if reason := expressionProblem(ctx, row.Value); reason != "" {
		return fielded(ctx, errListenerValue.With(reason), "value")
	}
	return nil
}

func (s *Service) checkClass(ctx context.Context, row *ProcessListener) error {
	listeners := s.listeners()
	types, known := listeners[row.Value]
	if !known {
		names := strings.Join(slices.Sorted(maps.Keys(listeners)), i18n.Pick(ctx, "、", ", "))
		if names == "" {
			names = i18n.Pick(ctx, "暂无", "none")
		}
		return fielded(ctx, errListenerClass.With(row.Value, names), "value")
	}
	if !slices.Contains(types, row.Type) {
		return fielded(ctx, errListenerKind.With(row.Value, strings.Join(types, i18n.Pick(ctx, "、", ", "))), "value")
	}
	return nil
}
